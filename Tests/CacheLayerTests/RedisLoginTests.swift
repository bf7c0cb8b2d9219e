import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("The login at Redis", .timeLimit(.minutes(3)))
struct RedisLoginTests {
    @Test(
        "C128: succeeds with the decoded password exactly",
        arguments: [
            ("p%40ss%3Aw%2Frd%231%3Fx", "p@ss:w/rd#1?x"), ("100%2525", "100%25"), ("a+b=c", "a+b=c"),
            ("%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C", "пароль"), ("%20", " "),
        ])
    func passwords(encoded: String, password: String) async throws {
        try await withRedisServer { server in
            try server.cli("ACL", "SETUSER", "default", "resetpass", ">" + password)
            let admin = try RedisServerSession(socketPath: server.socketPath)
            #expect(try admin.send(["AUTH", password]) == "OK")
            try admin.send(["ACL", "SETUSER", "first.last", "on", ">" + password, "~*", "&*", "+@all"])
            for user in ["", "first.last"] {
                let url = "redis://\(user):\(encoded)@127.0.0.1:\(server.port)"
                try await RedisFixture.withClient(url) { client in
                    let name = user.isEmpty ? "default" : user
                    #expect(await client.ask(["ACL", "WHOAMI"]) == .success(.string(Array(name.utf8))))
                }
            }
        }
    }

    @Test("takes the password of a file over the URL's")
    func fileOverride() async throws {
        try await withRedisServer(RedisServer.Options(password: "new")) { server in
            let url = RedisFixture.url(server.port, password: "old")
            try await RedisFixture.withClient(url, password: "new") { client in
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
            }
        }
    }

    @Test("C148: sends AUTH, then SELECT, before anything else, on every link")
    func order() async throws {
        let fake = try RedisServerFake { RedisServerFake.login($0) ?? .last(Array("+OK\r\n".utf8)) }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port, password: "pw", database: 5), timeouts: RedisFixture.eager
        ) { client in
            for round in 1...3 {
                try await RedisFixture.eventually { client.health.reconnects.value == round - 1 }
                try await RedisFixture.eventually { client.health.isConnected }
                _ = try await client.command(["SET", "k", "v"])
            }
            for number in 1...3 {
                let commands = fake.commands.filter { $0.connection == number }.map(\.arguments)
                #expect(
                    commands == [
                        ["AUTH", "pw"], ["SELECT", "5"], ["CLIENT", "SETNAME", "fxgw-test"], ["PING"],
                        ["ROLE"], ["INFO", "memory"], ["INFO", "cluster"], ["SET", "k", "v"],
                    ])
            }
        }
        await fake.stop()
    }

    @Test("C132: logs in and selects again after CLIENT KILL and after a restart; nothing lands in db 0")
    func everyLink() async throws {
        try await withRedisServer(RedisServer.Options(password: "pw")) { server in
            let url = RedisFixture.url(server.port, password: "pw", database: 5)
            try await RedisFixture.withClient(url, timeouts: RedisFixture.eager) { client in
                for round in 0..<4 {
                    try await RedisFixture.eventually { client.health.isConnected }
                    let made = client.health.reconnects.value
                    for number in 0..<10 {
                        #expect(await client.ask(["SET", "\(number)", "v"]) == .success(.status("OK")))
                    }
                    let keys = try server.cli("INFO", "keyspace")
                    #expect(keys.contains("db5:keys=10") && !keys.contains("db0"))
                    if round == 3 { return }
                    if round.isMultiple(of: 2) {
                        try server.cli("CLIENT", "KILL", "TYPE", "normal")
                    } else {
                        try await server.restart()
                    }
                    try await RedisFixture.eventually { client.health.reconnects.value > made }
                }
            }
        }
    }

    @Test(
        "R15: a wrong or missing password is no storm, one line in the log, and no password in it",
        arguments: ["wrongpass", ""])
    func wrongPassword(password: String) async throws {
        let log = RedisLog()
        try await withRedisServer(RedisServer.Options(password: "rightpass")) { server in
            let url = RedisFixture.url(server.port, password: password)
            try await RedisFixture.withClient(
                url, timeouts: RedisFixture.brisk, logger: log.logger(), waits: false
            ) { client in
                try await RedisFixture.eventually { client.health.failures.value >= 3 }
                guard case .loginRefused(let prefix) = client.health.lastEnd else {
                    Issue.record("\(String(describing: client.health.lastEnd))")
                    return
                }
                #expect(prefix == (password.isEmpty ? "NOAUTH" : "WRONGPASS"))
                let error = await client.ask(["PING"])
                #expect(error == .failure(.notExecuted(.breakerOpen)))
                // Pauses of at least 150 and 300 ms: with those of other failures there would be dozens.
                #expect(client.health.failures.value <= 5)

                try server.cli("CONFIG", "SET", "requirepass", password)
                try await RedisFixture.eventually { client.health.isConnected }
                let session = try RedisServerSession(socketPath: server.socketPath)
                if !password.isEmpty { try session.send(["AUTH", password]) }
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
            }
        }
        #expect(log.lines.filter { $0.contains("refuses the login") }.count == 1)
        #expect(log.lines.filter { $0.contains("Redis answers") }.count == 1)
        #expect(!log.text.contains("pass\"") && !log.text.contains("wrongpass"))
    }

    @Test("C148: a refused SELECT stops the use of the link")
    func refusedSelect() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port, database: 99), timeouts: RedisFixture.brisk, waits: false
            ) { client in
                try await RedisFixture.eventually { client.health.failures.value >= 1 }
                #expect(client.health.lastEnd == .databaseRefused("ERR"))
                #expect(!client.health.isConnected)
            }
        }
    }

    @Test("goes on for an account that may not set its name or ping")
    func bareAccount() async throws {
        try await withRedisServer { server in
            try server.cli("ACL", "SETUSER", "bare", "on", ">pw", "~fx:*", "+get", "+set")
            try await RedisFixture.withClient("redis://bare:pw@127.0.0.1:\(server.port)") { client in
                #expect(await client.ask(["SET", "fx:1", "v"]) == .success(.status("OK")))
                let error = await client.ask(["SET", "other", "v"])
                #expect(error == .failure(.notExecuted(.forbidden(command: nil))))
                #expect(client.health.isConnected)
            }
        }
    }

    @Test("a server that echoes the password in its error gets it into no log")
    func echoedPassword() async throws {
        let log = RedisLog()
        let fake = try RedisServerFake { command in
            .text("-ERR unknown command, with args beginning with: '\(command.last ?? "")'\r\n")
        }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port, password: "topsecret"), timeouts: RedisFixture.brisk,
            logger: log.logger(), waits: false
        ) { client in
            try await RedisFixture.eventually { client.health.failures.value >= 1 }
            #expect(client.health.lastEnd == .loginRefused("ERR"))
        }
        await fake.stop()
        #expect(!log.lines.isEmpty && !log.text.contains("topsecret"))
    }
}
