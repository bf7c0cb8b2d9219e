import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Simulator script and control")
struct SimulatorScriptTests {
    @Test("faults are taken in order, by target, as often as they say")
    func order() throws {
        var bench = try SimulatorBench()
        let script = """
            [{"match":"/v1/rate","status":500,"times":"always"}, {"status":503,"body":"<html>","times":2},
             {"match":"/v1/latest/USD?symbols","status":429,"headers":{"Retry-After":"120"}}]
            """
        #expect(bench.control("POST", "/control/script", script).status == 200)
        #expect(bench.get("/v1/latest/USD?symbols=EUR").status == 503)
        #expect(bench.get("/v1/rate/eur-usd").status == 500)
        let second = bench.get("/v1/latest/USD")
        #expect(second.text == "<html>")
        let limited = bench.get("/v1/latest/USD?symbols=EUR")
        #expect(limited.status == 429)
        #expect(limited.header("Retry-After") == "120")
        #expect(bench.get("/v1/latest/USD?symbols=EUR").status == 200)
        #expect(
            bench.control("GET", "/control/script").text
                == #"{"faults":[{"match":"/v1/rate","times":"always"}]}"#)
        #expect(bench.control("DELETE", "/control/script").text == #"{"faults":[]}"#)
        #expect(bench.get("/v1/rate/eur-usd").status == 200)
    }

    @Test("rates go out as the script's exact text, null leaves one out")
    func rates() throws {
        var bench = try SimulatorBench()
        let script = """
            {"rates":{"USD":"9.1234567e-6","GBP":"0.92450","JPY":null,"XBT":"NaN"},"source":"live",
             "dataTime":"2020-01-01T00:00:00Z","session":"interbank_closed","fields":{"notice":null,"extra":"[1,2]"}}
            """
        #expect(bench.control("POST", "/control/script", script).status == 200)
        let answer = bench.get("/v1/latest/EUR?symbols=USD,GBP,JPY,CHF")
        #expect(answer.text.contains("\"rates\":{\"USD\":9.1234567e-6,\"GBP\":0.92450,\"CHF\":"))
        #expect(answer.text.contains("\"XBT\":NaN}"))
        #expect(answer.text.contains("\"source\":\"live\",\"sources\":{\"USD\":\"live\",\"GBP\":\"live\""))
        #expect(answer.text.contains("\"data_updated_at\":\"2020-01-01T00:00:00Z\""))
        #expect(answer.text.contains("\"effective_at\":{\"USD\":\"2020-01-01T00:00:00Z\""))
        #expect(answer.text.contains("\"market_session\":\"interbank_closed\""))
        #expect(!answer.text.contains("notice"))
        #expect(answer.text.hasSuffix(",\"extra\":[1,2]}"))
    }

    @Test("header lists keep repetitions, null takes a generated field away")
    func headers() throws {
        var bench = try SimulatorBench { $0.limits.perMinute = 5 }
        let script =
            #"{"headers":[["Retry-After","5"],["Retry-After","7"],["X-RateLimit-Reset",null]],"status":429}"#
        #expect(bench.control("POST", "/control/script", script).status == 200)
        let answer = bench.get("/v1/latest/USD")
        #expect(answer.headers.filter { $0.name == "Retry-After" }.map(\.value) == ["5", "7"])
        #expect(answer.header("X-RateLimit-Reset") == nil)
        #expect(answer.header("X-RateLimit-Remaining") == "4")
    }

    @Test("a key is echoed only where a script demands it, and never logged")
    func echo() throws {
        var bench = try SimulatorBench()
        let secret = "exr_live_FXKEYTEST123"
        #expect(!bench.get("/v1/latest/USD", key: secret).text.contains(secret))
        #expect(!bench.get("/v1/latest/USD", key: "bad-\(secret)").text.contains(secret))
        for script in [
            #"{"status":401,"echoKey":true}"#,
            #"{"status":401,"body":"{\"error\":\"{authorization}\"}","echoKey":true}"#,
        ] {
            _ = bench.control("POST", "/control/script", script)
            let answer = bench.get("/v1/latest/USD", key: secret)
            #expect(answer.status == 401)
            #expect(answer.text.contains("Bearer \(secret)"))
        }
        _ = bench.control(
            "POST", "/control/script", #"{"redirect":"http://other.test/?k={authorization}","echoKey":true}"#)
        let redirect = bench.get("/v1/latest/USD", key: secret)
        #expect(redirect.status == 302)
        #expect(redirect.header("Location")?.contains(secret) == true)
        #expect(redirect.text.isEmpty)
        #expect(!bench.control("GET", "/control/log").text.contains(secret))
    }

    @Test(
        "a script with a mistake is refused whole, with its reason",
        arguments: [
            ("{", "not JSON"), ("5", "must be an object"), (#"{"statsu":500}"#, "no member 'statsu'"),
            (#"{"status":42}"#, "three digits"), (#"{"status":"500"}"#, "whole number"),
            (#"{"times":0}"#, "times"), (#"{"drip":{"bytes":0}}"#, "drip"),
            (#"{"close":true,"hang":true}"#, "only one"),
            (#"{"body":"x","bodyBase64":"eA=="}"#, "bodyBase64"),
            (#"{"rates":{"EUR":1.5}}"#, "strings or null"),
            (#"{"delay":-5}"#, "negative"), (#"{"delay":true}"#, "whole number"),
            (#"{"close":1}"#, "true or false"),
            (#"{"headers":[["a"]]}"#, "pairs"), (#"{"gzipBomb":99999999999}"#, "at most"),
            (#"[{"status":500},{"nope":1}]"#, "nope"),
        ])
    func mistakes(script: String, reason: String) throws {
        var bench = try SimulatorBench()
        let answer = bench.control("POST", "/control/script", script)
        #expect(answer.status == 400)
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(bench.state.script.faults.isEmpty)
    }

    @Test("the clock is set, advanced and told")
    func clock() throws {
        var bench = try SimulatorBench { $0.isFrozen = true }
        bench.pass(.seconds(100))
        #expect(
            bench.control("GET", "/control/clock").text
                == #"{"now":"2026-10-28T10:00:00Z","ms":1793181600000,"frozen":true,"shift_weeks":0,"#
                + #""shown_day":"2026-10-27","true_day":"2026-10-27"}"#)
        _ = bench.control("POST", "/control/clock", #"{"advance":86400000}"#)
        #expect(bench.now.text == "2026-10-29T10:00:00Z")
        #expect(bench.control("POST", "/control/clock", #"{"now":"2026-06-16T10:00:00Z"}"#).status == 200)
        #expect(bench.now.text == "2026-06-16T10:00:00Z")
        for body in [
            "{}", #"{"now":"soon"}"#, #"{"now":"2026-06-16T10:00:00Z","advance":1}"#, #"{"advance":1.5}"#,
        ] {
            #expect(bench.control("POST", "/control/clock", body).status == 400)
        }
        #expect(bench.control("PUT", "/control/clock").status == 404)
    }

    @Test("the log tells what was asked, the counts add up")
    func log() throws {
        var bench = try SimulatorBench()
        _ = bench.get("/v1/latest/USD?symbols=EUR", key: "exr_live_a")
        _ = bench.get("/v1/latest/USD")
        _ = bench.get("/v1/latest/XXX")
        let body = try bench.control("GET", "/control/log?after=1").object()
        let entries = try #require(body["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        #expect(entries.last?["number"] as? Int == 3)
        #expect(entries.last?["status"] as? Int == 422)
        let first = try #require(bench.state.log.entries.first)
        #expect(first.isAuthorized && first.target == "/v1/latest/USD?symbols=EUR" && first.concurrent == 1)
        let counts = bench.state.log.counts
        #expect(counts.byPath == ["/v1/latest/USD": 2, "/v1/latest/XXX": 1])
        #expect(counts.byStatus == [200: 2, 422: 1])
        #expect(counts.calls == 3 && counts.inFlight == 0 && counts.maxInFlight == 1)
    }

    @Test("the log keeps the pause that an answer asks for, and how long it held back")
    func loggedPause() throws {
        var bench = try SimulatorBench()
        let script = #"[{"status":429,"headers":{"retry-after":"15"},"delay":700},{"status":429}]"#
        #expect(bench.control("POST", "/control/script", script).status == 200)
        _ = bench.get("/v1/latest/USD")
        _ = bench.get("/v1/latest/USD")
        let entries = bench.state.log.entries
        #expect(entries.map(\.retryAfter) == [15, nil] && entries.map(\.delay) == [700, 0])
        let body = try bench.control("GET", "/control/log").object()
        let told = try #require((body["entries"] as? [[String: Any]])?.first)
        #expect(told["retry_after"] as? Int == 15 && told["delay"] as? Int == 700)
    }

    @Test("a gzip bomb is a valid stream of zeros", arguments: [0, 1, 257, 258, 259, 100_000, 5_000_000])
    func gzipBomb(size: Int) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let bytes = GzipBomb.bytes(unpackingTo: size)
        // About 33 kB at most: fits the pipe, so that writing before reading can't block.
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let unpacked = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(unpacked.count == size)
        #expect(unpacked.allSatisfy { $0 == 0 })
    }
}
