import Dispatch
import Foundation

/// The `simulate` command: serves until SIGTERM or SIGINT.
package enum SimulateCommand {
    /// Runs on the calling thread, which waits for the signal.
    ///
    /// - Parameter arguments: without the command's own name.
    /// - Returns: the exit code: 0 after a signal or help, 1 if it can't listen, 64 for bad arguments, as all commands have it.
    package static func run(arguments: [String]) -> Int32 {
        let options: SimulateOptions
        do {
            options = try SimulateOptions(arguments: arguments)
        } catch {
            complain("\(error); see fxgateway simulate --help")
            // EX_USAGE of sysexits.
            return 64
        }
        if options.wantsHelp {
            FileHandle.standardOutput.write(Data(SimulateOptions.help.utf8))
            return 0
        }
        // Blocked before the loop's thread begins, so that it inherits the mask and only sigwait sees them.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            let simulator = try Simulator(configuration: options.configuration)
            try simulator.start()
            FileHandle.standardOutput.write(Data(startLine(simulator, options.configuration).utf8))
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            stop(simulator)
            return 0
        } catch {
            switch error {
            case .listen(let reason): complain(reason)
            }
            return 1
        }
    }

    /// One line: where, how, which day is shown as which, and how to end it.
    static func startLine(_ simulator: Simulator, _ configuration: SimulatorConfiguration) -> String {
        let place = simulator.place(in: configuration)
        let days =
            simulator.latestFix.map { fix in
                "shows the ECB fix of \(fix.trueDay.text) as \(fix.shownDay.text)"
            } ?? "has no rates at \(simulator.now.text)"
        return
            "simulated upstream on \(place), mode \(configuration.mode.rawValue), now \(simulator.now.text), "
            + "\(days) (shift \(simulator.shiftWeeks) weeks); stop with Ctrl-C or SIGTERM\n"
    }

    /// Waits for the simulator's end on this thread, which no task of the simulator needs.
    private static func stop(_ simulator: Simulator) {
        let isOver = DispatchSemaphore(value: 0)
        Task.detached {
            await simulator.stop()
            isOver.signal()
        }
        isOver.wait()
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("fxgateway simulate: \(text)\n".utf8))
    }
}
