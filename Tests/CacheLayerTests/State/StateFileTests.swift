import Foundation
import Glibc
import TestSupport
import Testing

@testable import CacheLayer

@Suite("State file: the disk", .timeLimit(.minutes(4)))
struct StateFileTests {
    private let name = StateSamples.identity.fileName
    private let old = Array("the old one".utf8)

    private func file(_ directory: URL) -> StateFile { StateFile(directory: directory.path, name: name) }

    private func writing(_ bytes: [UInt8], _ file: StateFile) -> StateFileFault? {
        StateSamples.fault { () throws(StateFileFault) in try file.write(bytes) }
    }

    private func reading(_ file: StateFile) -> StateFileFault? {
        StateSamples.fault { () throws(StateFileFault) in _ = try file.read(atMost: 1_000) }
    }

    private func names(_ directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test("what was written is read, for its owner's eyes only, and leaves nothing else behind")
    func written() async throws {
        try await StateSamples.withDirectory { directory in
            let file = file(directory)
            #expect(try file.read(atMost: 100) == nil)
            for text in ["one", "", "three"] {
                try file.write(Array(text.utf8))
                #expect(try file.read(atMost: 100) == Array(text.utf8))
            }
            #expect(try names(directory) == [name, name + ".lock"])
            for name in try names(directory) {
                let facts = try FileManager.default.attributesOfItem(
                    atPath: directory.appending(path: name).path)
                #expect(facts[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test("one that is a byte too large isn't read")
    func large() async throws {
        try await StateSamples.withDirectory { directory in
            let file = file(directory)
            try file.write([UInt8](repeating: 1, count: 1_000))
            #expect(try file.read(atMost: 1_000)?.count == 1_000)
            try file.write([UInt8](repeating: 1, count: 1_001))
            #expect(reading(file) == .tooLarge)
        }
    }

    @Test("no directory, or a file in its place, is said; it isn't made")
    func noDirectory() async throws {
        try await StateSamples.withDirectory { directory in
            let missing = directory.appending(path: "missing")
            #expect(reading(file(missing)) == .noDirectory)
            #expect(writing(old, file(missing)) == .noDirectory)
            let plain = directory.appending(path: "plain")
            try Data().write(to: plain)
            #expect(reading(file(plain)) == .noDirectory)
            #expect(writing(old, file(plain.appending(path: "below"))) == .noDirectory)
            #expect(try names(directory) == ["plain"])
            // It works as soon as somebody has made one.
            try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: false)
            #expect(writing(old, file(missing)) == nil)
        }
    }

    @Test("a directory, a pipe or a link with its name is no file, and holds nobody up")
    func notAFile() async throws {
        try await StateSamples.withDirectory { directory in
            let path = directory.appending(path: name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
            #expect(reading(file(directory)) == .notAFile)
            #expect(writing(old, file(directory)) == .notAFile)
            try FileManager.default.removeItem(at: path)
            #expect(mkfifo(path.path, 0o600) == 0)
            #expect(reading(file(directory)) == .notAFile)
            try FileManager.default.removeItem(at: path)
            try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: "/etc/passwd")
            #expect(reading(file(directory)) == .notAFile)
            // A write takes the name over; what the link pointed at is left alone.
            #expect(writing(old, file(directory)) == nil)
            #expect(try FileManager.default.attributesOfItem(atPath: path.path)[.size] as? Int == old.count)
        }
    }

    @Test(
        "a directory or a link in the place of the lock, or a directory in that of the new file, is no file")
    func notAFileBeside() async throws {
        for ending in [".lock", ".tmp"] {
            try await StateSamples.withDirectory { directory in
                let path = directory.appending(path: name + ending)
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
                #expect(writing(old, file(directory)) == .notAFile, "\(ending)")
            }
        }
        try await StateSamples.withDirectory { directory in
            let path = directory.appending(path: name + ".lock").path
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
            #expect(writing(old, file(directory)) == .notAFile)
        }
    }

    @Test("what a killed writer left behind is in nobody's way")
    func leftover() async throws {
        try await StateSamples.withDirectory { directory in
            let neighbour = directory.appending(path: name + ".tmp")
            try Data(repeating: 1, count: 100_000).write(to: neighbour)
            try file(directory).write(old)
            #expect(try names(directory) == [name, name + ".lock"])
        }
    }

    @Test("has one writer; the next one takes over when it is gone")
    func oneWriter() async throws {
        try await StateSamples.withDirectory { directory in
            var first: StateFile? = file(directory)
            try first?.write(old)
            let second = file(directory)
            #expect(writing([1], second) == .inUse)
            #expect(try second.read(atMost: 100) == old)
            first = nil
            #expect(writing([1], second) == nil)
            #expect(try second.read(atMost: 100) == [1])
        }
    }

    @Test(
        "a full disk is said, leaves the old file whole and no rubbish, and is over when there is room (T8)")
    func full() async throws {
        try await StateSamples.withDirectory { directory in
            guard mount("tmpfs", directory.path, "tmpfs", 0, "size=64k") == 0 else {
                // Without the right to mount: the size limit's test stands for it.
                return
            }
            defer { umount2(directory.path, Int32(MNT_DETACH)) }
            let file = file(directory)
            try file.write(old)
            #expect(writing([UInt8](repeating: 7, count: 100_000), file) == .full)
            #expect(try file.read(atMost: 1_000) == old)
            #expect(try names(directory) == [name, name + ".lock"])
            try file.write([1, 2, 3])
            #expect(try file.read(atMost: 1_000) == [1, 2, 3])
        }
    }

    @Test("a read-only disk is said, and the old file is read all the same (T8)")
    func readOnly() async throws {
        try await StateSamples.withDirectory { directory in
            guard mount("tmpfs", directory.path, "tmpfs", 0, "size=64k") == 0 else { return }
            defer { umount2(directory.path, Int32(MNT_DETACH)) }
            try file(directory).write(old)
            // A child that another test is just starting may hold a copy of a descriptor.
            let isReadOnly = await eventually(within: .seconds(10)) {
                mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0
            }
            #expect(isReadOnly)
            #expect(writing([1], file(directory)) == .readOnly)
            #expect(try file(directory).read(atMost: 1_000) == old)
        }
    }

    @Test("a limit on file sizes is a full disk (T8)")
    func sizeLimit() async throws {
        try await StateSamples.withDirectory { directory in
            try file(directory).write(old)
            let child = try StateWriter.start("limited", in: directory)
            #expect(await eventually(within: .seconds(60)) { child.status != nil })
            #expect(child.status == 0 && child.text.contains("4 KiB\" passed"), "\(child.text)")
            #expect(try file(directory).read(atMost: 1_000) == old)
            #expect(try names(directory) == [name, name + ".lock", "output"])
        }
    }

    @Test("a writer killed at any moment leaves a whole file (L1)")
    func killed() async throws {
        try await StateSamples.withDirectory { directory in
            let codec = StateCodec(identity: StateSamples.identity)
            var seen: Set<Int64> = []
            for round in 0..<8 {
                let child = try StateWriter.start("loop", in: directory)
                let reader = file(directory)
                let before = try reader.read(atMost: StateCodec.largestFile)
                let began = try await eventually(within: .seconds(60), step: .milliseconds(2)) {
                    try reader.read(atMost: StateCodec.largestFile) != before
                }
                #expect(began, "\(child.text)")
                try await Task.sleep(for: .milliseconds(5 + round * 7), tolerance: .zero)
                child.stop()
                let bytes = try #require(try reader.read(atMost: StateCodec.largestFile))
                seen.insert(try codec.decode(bytes).floor.value)
            }
            #expect(seen.count > 1)
        }
    }
}
