import CacheLayer
import Testing

@testable import FXGateway

@Suite("Configuration")
struct ConfigurationTests {
    private func read(
        _ environment: [String: String], files: [String: String] = [:]
    ) throws(ConfigurationError) -> Configuration {
        try Configuration(environment: environment, cores: 2) { path in files[path].map { Array($0.utf8) } }
    }

    private func problems(_ environment: [String: String], files: [String: String] = [:]) -> [String] {
        do throws(ConfigurationError) {
            _ = try read(environment, files: files)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("an empty environment gives the defaults of the contract, for anonymous use")
    func defaults() throws {
        let configuration = try read([:])
        #expect(configuration.listen == .tcp(host: "127.0.0.1", port: 8080))
        #expect(configuration.threads == 2)
        #expect(configuration.key == nil)
        #expect(configuration.upstream.description == "https://api.exchangerate.dev")
        #expect(configuration.bases.map(\.code) == ["USD"])
        #expect(configuration.tierPolicy == TierPolicy())
        #expect(configuration.leaseTTL == .seconds(15))
        #expect(configuration.waitLimit == .seconds(5))
        #expect(configuration.quarantineBand == 1_000)
        #expect(configuration.archiveBytes == 268_435_456)
        #expect(configuration.quotaPlan == QuotaPlan(monthly: 10_000, perMinute: 12, perHour: 100))
        #expect(configuration.warnings.isEmpty)
    }

    @Test("with a key there is no hourly limit, and the limit per minute is the configured one")
    func keyed() throws {
        let configuration = try read(["EXCHANGERATE_API_KEY": "exr_live_TEST", "FXGW_QUOTA_PER_MINUTE": "30"])
        #expect(configuration.quotaPlan == QuotaPlan(monthly: 10_000, perMinute: 30))
        let anonymous = try read(["FXGW_QUOTA_PER_MINUTE": "30"])
        #expect(anonymous.quotaPlan.perMinute == 12)
        #expect(anonymous.warnings.count == 1)
    }

    @Test(
        "C142: a lifetime of nothing, below zero, under a second or of no number is refused",
        arguments: ["0", "0s", "-3s", "400ms", "0.4s", "abc", "", "60", "86401s"])
    func badLifetimes(text: String) {
        let problems = problems(["FXGW_LIVE_TTL": text])
        #expect(problems.count == 1 && problems.allSatisfy { $0.contains("FXGW_LIVE_TTL") })
        #expect(self.problems(["FXGW_LIVE_TTL": "1s"]).isEmpty)
    }

    @Test(
        "every name takes a good value",
        arguments: [
            ("FXGW_LISTEN", "[::1]:9000", "[::1]:9000"),
            ("FXGW_LISTEN", "unix:/run/fxgw.sock", "unix:/run/fxgw.sock"),
            ("FXGW_THREADS", "8", "8"),
            ("FXGW_UPSTREAM_URL", "http://127.0.0.1:81/x/", "http://127.0.0.1:81/x"),
            ("FXGW_UPSTREAM_TIMEOUT", "2500ms", "2500ms"), ("FXGW_UPSTREAM_INSECURE", "on", "on"),
            ("FXGW_REDIS_URL", "redis://:pw@h", "(secret)"), ("FXGW_REDIS_CONNECT_TIMEOUT", "1s", "1s"),
            ("FXGW_REDIS_COMMAND_TIMEOUT", "99ms", "99ms"), ("FXGW_FLEET", "eu-1.a_b", "eu-1.a_b"),
            ("FXGW_OFFLINE_CALLS_PER_HOUR", "3", "3"), ("FXGW_BASES", "usd, EUR", "USD,EUR"),
            ("FXGW_LIVE_TTL", "90s", "90s"), ("FXGW_LIVE_MAX_STALE", "1h", "1h"),
            ("FXGW_DAILY_MAX_STALE", "2d", "2d"),
            ("FXGW_UNKNOWN_TTL", "10m", "10m"), ("FXGW_QUOTA_MONTHLY", "50000", "50000"),
            ("FXGW_QUOTA_PER_MINUTE", "5", "5"), ("FXGW_QUOTA_TARGET", "0.5", "0.5"),
            ("FXGW_LEASE_TTL", "30s", "30s"),
            ("FXGW_WAIT_LIMIT", "250ms", "250ms"), ("FXGW_MAX_IN_FLIGHT", "2", "2"),
            ("FXGW_QUARANTINE_BAND", "2.5%", "2.5%"), ("FXGW_QUARANTINE_BAND", "off", "off"),
            ("FXGW_CLIENTS_FILE", "/etc/c", "/etc/c"), ("FXGW_ADMIN_TOKEN", "t-TEST", "(secret)"),
            ("FXGW_MAX_CONNECTIONS", "100", "100"), ("FXGW_IDLE_TIMEOUT", "5s", "5s"),
            ("FXGW_CACHE_VISIBILITY", "public", "public"),
            ("FXGW_CORS_ORIGINS", "https://a.test", "https://a.test"),
            ("FXGW_TRUSTED_PROXIES", "10.0.0.0/8, ::1,unix", "10.0.0.0/8,::1,unix"),
            ("FXGW_RATELIMIT_FIELDS", "on", "on"), ("FXGW_STATE_DIR", "/var/lib/fxgw", "/var/lib/fxgw"),
            ("FXGW_ARCHIVE_BYTES", "1GiB", "1GiB"), ("FXGW_LOG_LEVEL", "debug", "debug"),
            ("FXGW_LOG_FORMAT", "text", "text"), ("FXGW_ACCESS_LOG", "1/100", "1/100"),
            ("FXGW_ACCESS_LOG", "on", "on"),
            ("FXGW_DRAIN_TIMEOUT", "0s", "0s"), ("EXCHANGERATE_API_KEY", "exr_live_TEST", "(secret)"),
        ])
    func goodValues(name: String, value: String, shown: String) throws {
        let lines = try read([name: value], files: ["/etc/c": "{\"clients\":[]}"]).lines
        #expect(lines.contains("\(name)=\(shown)"), "\(lines)")
    }

    @Test("T10: every bad value is named at once")
    func badValues() {
        let bad: [String: String] = [
            "FXGW_LISTEN": "8080", "FXGW_THREADS": "0", "FXGW_UPSTREAM_URL": "ftp://x",
            "FXGW_UPSTREAM_TIMEOUT": "10",
            "FXGW_UPSTREAM_INSECURE": "yes", "FXGW_REDIS_URL": "", "FXGW_REDIS_PASSWORD_FILE": "/nowhere",
            "FXGW_REDIS_CONNECT_TIMEOUT": "1", "FXGW_REDIS_COMMAND_TIMEOUT": "-1s", "FXGW_FLEET": "a b",
            "FXGW_OFFLINE_CALLS_PER_HOUR": "-1", "FXGW_BASES": "USD,,EUR", "FXGW_LIVE_TTL": "0s",
            "FXGW_LIVE_MAX_STALE": "abc", "FXGW_DAILY_MAX_STALE": "4 d", "FXGW_UNKNOWN_TTL": "5min",
            "FXGW_QUOTA_MONTHLY": "1e4", "FXGW_QUOTA_PER_MINUTE": "", "FXGW_QUOTA_TARGET": "1.5",
            "FXGW_LEASE_TTL": "15", "FXGW_WAIT_LIMIT": "1.5s", "FXGW_MAX_IN_FLIGHT": "0",
            "FXGW_QUARANTINE_BAND": "10", "FXGW_CLIENTS_FILE": "", "FXGW_ADMIN_TOKEN": "",
            "FXGW_MAX_CONNECTIONS": "many", "FXGW_IDLE_TIMEOUT": "75", "FXGW_CACHE_VISIBILITY": "shared",
            "FXGW_CORS_ORIGINS": "a.test", "FXGW_TRUSTED_PROXIES": "10.1.2.3/8", "FXGW_RATELIMIT_FIELDS": "1",
            "FXGW_STATE_DIR": "relative",
            "FXGW_ARCHIVE_BYTES": "256MB", "FXGW_LOG_LEVEL": "verbose", "FXGW_LOG_FORMAT": "xml",
            "FXGW_ACCESS_LOG": "1/0", "FXGW_DRAIN_TIMEOUT": "20", "EXCHANGERATE_API_KEY": "",
        ]
        let problems = problems(bad)
        #expect(self.problems(["FXGW_UPSTREAM_URL": "https://h.test:+443"]).count == 1)
        for name in bad.keys {
            #expect(problems.contains { $0.hasPrefix("\(name) ") }, "\(name) isn't named")
        }
        #expect(problems.count == bad.count)
    }

    @Test(
        "T10: a near miss of a name is an error, another one of ours a warning, an injected one nothing",
        arguments: [
            ("FXGW_LISTN", 1, 0), ("FXGW_LIVE_TLL", 1, 0), ("EXCHANGERATE_APIKEY", 1, 0),
            ("FXGW_COLOUR", 0, 1),
            ("FXGW_SERVICE_HOST", 0, 0), ("FXGW_PORT_8080_TCP_ADDR", 0, 0), ("FXGW_REDIS_SERVICE_PORT", 0, 0),
            ("PATH", 0, 0), ("LISTEN", 0, 0),
        ])
    func strangers(name: String, problemCount: Int, warningCount: Int) throws {
        #expect(problems([name: "x"]).count == problemCount)
        guard problemCount == 0 else { return }
        #expect(try read([name: "x"]).warnings.count == warningCount)
    }

    @Test("T10: a lease shorter than the upstream deadline and three seconds is refused")
    func lease() throws {
        #expect(problems(["FXGW_UPSTREAM_TIMEOUT": "13s"]).count == 1)
        #expect(problems(["FXGW_UPSTREAM_TIMEOUT": "12s"]).isEmpty)
        #expect(try read(["FXGW_UPSTREAM_TIMEOUT": "13s", "FXGW_LEASE_TTL": "16s"]).leaseTTL == .seconds(16))
    }

    @Test("a key goes over plain http only to this machine, unless that is allowed by name")
    func plainHTTP() {
        let key = "exr_live_TEST"
        let remote = ["EXCHANGERATE_API_KEY": key, "FXGW_UPSTREAM_URL": "http://10.0.0.1"]
        #expect(problems(remote).count == 1)
        #expect(problems(remote.merging(["FXGW_UPSTREAM_INSECURE": "on"]) { $1 }).isEmpty)
        #expect(problems(["EXCHANGERATE_API_KEY": key, "FXGW_UPSTREAM_URL": "http://127.0.0.1:99"]).isEmpty)
        #expect(problems(["EXCHANGERATE_API_KEY": key, "FXGW_UPSTREAM_URL": "http://[::1]:99"]).isEmpty)
        #expect(problems(["FXGW_UPSTREAM_URL": "http://10.0.0.1"]).isEmpty)
        let sly = problems(["EXCHANGERATE_API_KEY": key, "FXGW_UPSTREAM_URL": "http://127.0.0.1.evil.test"])
        #expect(sly.count == 1)
        #expect(problems(["FXGW_UPSTREAM_URL": "https://user:FXPW-TEST@h.test"]).count == 1)
    }

    @Test("a secret in a file loses its line end; what can't be read is named with its path alone")
    func files() throws {
        let good = try read(["EXCHANGERATE_API_KEY_FILE": "/k"], files: ["/k": "exr_live_TEST\n"])
        #expect(good.key?.reveal() == "exr_live_TEST")
        #expect(good.lines.contains("EXCHANGERATE_API_KEY_FILE=/k"))
        let missing = problems(["FXGW_ADMIN_TOKEN_FILE": "/gone"])
        #expect(missing == ["FXGW_ADMIN_TOKEN_FILE names a file that can't be read: '/gone'"])
        #expect(problems(["EXCHANGERATE_API_KEY_FILE": "/k"], files: ["/k": "\n"]).count == 1)
        #expect(problems(["EXCHANGERATE_API_KEY_FILE": "/k"], files: ["/k": "a\nb"]).count == 1)
        let both = ["EXCHANGERATE_API_KEY_FILE": "/k", "EXCHANGERATE_API_KEY": "x"]
        #expect(problems(both, files: ["/k": "y"]).count == 1)
    }

    @Test(
        "every problem of a clients file is named at once, with those of the rest; one that is away is named")
    func clients() throws {
        let digest = String(repeating: "5e", count: 32)
        let file = "{\"clients\":[{\"name\":\"a b\"},{\"name\":\"c\",\"token_sha256\":\"\(digest)\"}]}"
        let problems = problems(["FXGW_CLIENTS_FILE": "/c", "FXGW_THREADS": "0"], files: ["/c": file])
        #expect(problems.filter { $0.hasPrefix("FXGW_CLIENTS_FILE entry 1: ") }.count == 2)
        #expect(problems.count == 3)
        let gone = self.problems(["FXGW_CLIENTS_FILE": "/gone"])
        #expect(gone == ["FXGW_CLIENTS_FILE names a file that can't be read: '/gone'"])
        #expect(try read([:]).clients == nil)
        let none = try read(["FXGW_CLIENTS_FILE": "/c"], files: ["/c": "{\"clients\":[]}"])
        #expect(none.clients?.isEmpty == true)
        #expect(none.warnings.isEmpty)
    }

    @Test("a clients file that caches on the way pass by, and fields that nobody gets, are warned of")
    func clientWarnings() throws {
        let digest = String(repeating: "5e", count: 32)
        func warnings(_ entry: String, _ environment: [String: String]) throws -> [String] {
            try read(
                environment.merging(["FXGW_CLIENTS_FILE": "/c"]) { $1 },
                files: ["/c": "{\"clients\":[{\"name\":\"c\",\"token_sha256\":\"\(digest)\"\(entry)}]}"]
            ).warnings
        }
        #expect(try warnings("", ["FXGW_CACHE_VISIBILITY": "public"]).count == 1)
        #expect(try warnings("", ["FXGW_RATELIMIT_FIELDS": "on"]).count == 1)
        #expect(try warnings(",\"per_minute\":1", ["FXGW_RATELIMIT_FIELDS": "on"]).isEmpty)
        #expect(try read(["FXGW_CACHE_VISIBILITY": "public"]).warnings.isEmpty)
    }

    @Test("C190: no secret shows in lines, problems, descriptions or dumps")
    func secrecy() throws {
        let environment = [
            "EXCHANGERATE_API_KEY": "FXKEY-TEST-123", "FXGW_ADMIN_TOKEN": "FXKEY-TEST-123",
            "FXGW_REDIS_URL": "redis://:FXKEY-TEST-123@h",
        ]
        let configuration = try read(environment)
        var dumped = ""
        dump(configuration, to: &dumped)
        let seen =
            configuration.lines.joined() + "\(configuration)" + dumped + String(reflecting: configuration)
        #expect(!seen.contains("FXKEY-TEST-123"))
        let bad = environment.merging(["FXGW_UPSTREAM_URL": "https://FXKEY-TEST-123@h", "FXGW_THREADS": "x"])
        { $1 }
        #expect(!problems(bad).joined().contains("FXKEY-TEST-123"))
    }
}
