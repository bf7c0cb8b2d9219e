import CacheLayer
import Telemetry

extension Configuration {
    /// Room that a lease needs beyond the upstream deadline: to start late, and to publish.
    private static let leaseRoom = Duration.seconds(3)

    /// Reads the environment.
    ///
    /// - Parameters:
    ///   - environment: all variables of the process.
    ///   - cores: how many event loops there are without FXGW_THREADS.
    ///   - readFile: a file's bytes, nil if it can't be read; asked for the `_FILE` variables only.
    ///   - exposure: what other users may do with such a file.
    /// - Throws: every problem at once; none of them shows a secret.
    init(
        environment: [String: String], cores: Int, readFile: @escaping (String) -> [UInt8]?,
        exposure: @escaping (String) -> FileExposure = FileExposure.init(ofFileAt:)
    ) throws(ConfigurationError) {
        var reader = EnvironmentReader(
            environment: environment, readFile: readFile, exposure: exposure)
        guard let pivot = Currency("USD"), let upstream = try? UpstreamAddress("https://api.exchangerate.dev")
        else {
            preconditionFailure("the defaults are well-formed")
        }
        self.init(upstream: upstream, bases: [pivot])
        threads = min(max(1, cores), 256)
        readUpstream(&reader)
        readStore(&reader)
        readFreshness(&reader)
        readQuota(&reader)
        readFace(&reader)
        readOperations(&reader)
        relate(&reader)
        guard reader.problems.isEmpty else { throw ConfigurationError(problems: reader.problems) }
        warnings = reader.warnings
    }

    private mutating func readUpstream(_ reader: inout EnvironmentReader) {
        keyFile = reader.text(.keyFile)
        key = reader.secret(.key, orFile: .keyFile)
        upstreamTimeout = reader.duration(.upstreamTimeout, upstreamTimeout, .seconds(1) ... .seconds(60))
        isUpstreamInsecureAllowed = reader.flag(.upstreamInsecure, isUpstreamInsecureAllowed)
        guard let text = reader.text(.upstreamURL) else { return }
        do throws(UpstreamAddress.Fault) {
            upstream = try UpstreamAddress(text)
        } catch {
            switch error {
            case .hasUserinfo: reader.refuse(.upstreamURL, "must not hold a user or password")
            case .notAURL:
                // Not shown: a slip may have put a key into it.
                reader.refuse(.upstreamURL, "must be https://host[:port][/path] or http://host[:port][/path]")
            }
        }
    }

    private mutating func readStore(_ reader: inout EnvironmentReader) {
        if let url = reader.text(.redisURL) {
            if url.isEmpty { reader.refuse(.redisURL, "is empty: unset it to work without Redis") }
            redisURL = Secret(url)
        }
        redisPasswordFile = reader.text(.redisPasswordFile)
        redisPassword = reader.secretFile(.redisPasswordFile)
        redisConnectTimeout = reader.duration(
            .redisConnectTimeout, redisConnectTimeout, .milliseconds(10) ... .seconds(10))
        redisCommandTimeout = reader.duration(
            .redisCommandTimeout, redisCommandTimeout, .milliseconds(10) ... .seconds(5))
        fleet = reader.value(.fleet, fleet, "1 to 64 letters, digits, '.', '_' or '-'") { text in
            (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isFleetByte) ? text : nil
        }
        offlineCallsPerHour = reader.count(.offlineCallsPerHour, offlineCallsPerHour, 0...100_000)
        stateDirectory = reader.optional(.stateDirectory, "an absolute path") { text in
            text.hasPrefix("/") ? text : nil
        }
        archiveBytes = reader.value(.archiveBytes, archiveBytes, "a size with its unit (B, KiB, MiB, GiB)") {
            UnitText.bytes($0)
        }
    }

    private mutating func readFreshness(_ reader: inout EnvironmentReader) {
        bases = reader.value(.bases, bases, "1 to 16 different currency codes with commas between them") {
            text in
            let items = text.split(separator: ",", omittingEmptySubsequences: false)
            let codes = items.compactMap {
                Currency($0.drop { $0 == " " }.trimmingSuffix(while: { $0 == " " }))
            }
            let isGood = codes.count == items.count && Set(codes).count == codes.count && codes.count <= 16
            return isGood ? codes : nil
        }
        liveTTL = reader.duration(.liveTTL, liveTTL, .seconds(1) ... .seconds(86_400))
        liveMaxStale = reader.duration(.liveMaxStale, liveMaxStale, .zero ... .seconds(30 * 86_400))
        dailyMaxStale = reader.duration(.dailyMaxStale, dailyMaxStale, .zero ... .seconds(60 * 86_400))
        unknownTTL = reader.duration(.unknownTTL, unknownTTL, .seconds(1) ... .seconds(86_400))
        quarantineBand = reader.value(.quarantineBand, quarantineBand, "a percentage (10%) or off") { text in
            if text == "off" { return .some(nil) }
            return UnitText.basisPoints(text).flatMap { (1...1_000_000).contains($0) ? .some($0) : nil }
        }
    }

    private mutating func readQuota(_ reader: inout EnvironmentReader) {
        quotaMonthly = reader.count(.quotaMonthly, quotaMonthly, 1...1_000_000_000)
        quotaPerMinute = reader.count(.quotaPerMinute, quotaPerMinute, 1...60_000)
        quotaTargetPermille = reader.value(
            .quotaTarget, quotaTargetPermille, "a share from 0.001 to 1 with at most three decimals"
        ) { text in
            UnitText.decimal(text, places: 3).flatMap { (1...1_000).contains($0) ? $0 : nil }
        }
        leaseTTL = reader.duration(.leaseTTL, leaseTTL, .seconds(4) ... .seconds(600))
        waitLimit = reader.duration(.waitLimit, waitLimit, .milliseconds(100) ... .seconds(60))
        maxInFlight = reader.count(.maxInFlight, maxInFlight, 1...64)
    }

    private mutating func readFace(_ reader: inout EnvironmentReader) {
        listen = reader.value(.listen, listen, "address:port, [address]:port or unix:/path") {
            ListenAddress($0)
        }
        threads = reader.count(.threads, threads, 1...256)
        clientsFile = reader.optional(.clientsFile, "a path") { $0.isEmpty ? nil : $0 }
        if clientsFile != nil { clients = reader.clients(.clientsFile) }
        adminTokenFile = reader.text(.adminTokenFile)
        adminToken = reader.secret(.adminToken, orFile: .adminTokenFile)
        if reader.text(.maxConnections) != nil {
            maxConnections = reader.count(.maxConnections, 1_024, 1...1_000_000)
        }
        idleTimeout = reader.duration(.idleTimeout, idleTimeout, .seconds(1) ... .seconds(86_400))
        cacheVisibility = reader.value(.cacheVisibility, cacheVisibility, "private or public") {
            CacheVisibility(rawValue: $0)
        }
        corsOrigins = reader.value(.corsOrigins, corsOrigins, "origins (https://host) with commas, or *") {
            text in
            let origins = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
            return origins.allSatisfy(Self.isOrigin) ? origins : nil
        }
        trustedProxies = reader.value(
            .trustedProxies, trustedProxies,
            "1 to \(TrustedProxies.most) addresses, prefixes without bits beyond their length, or unix, with commas"
        ) { TrustedProxies($0) }
        hasRatelimitFields = reader.flag(.ratelimitFields, hasRatelimitFields)
    }

    private mutating func readOperations(_ reader: inout EnvironmentReader) {
        logLevel = reader.value(.logLevel, logLevel, LogLevel.allCases.map(\.name).joined(separator: ", ")) {
            LogLevel(name: $0)
        }
        logFormat = reader.value(.logFormat, logFormat, "json or text") { Logger.Format(rawValue: $0) }
        accessLog = reader.value(.accessLog, accessLog, "off, on or 1/n") { AccessLogRate($0) }
        drainTimeout = reader.duration(.drainTimeout, drainTimeout, .zero ... .seconds(600))
    }

    /// What two values say together.
    private func relate(_ reader: inout EnvironmentReader) {
        if leaseTTL < upstreamTimeout + Self.leaseRoom {
            let least = UnitText.text(upstreamTimeout + Self.leaseRoom)
            reader.refuse(.leaseTTL, "must be at least \(least): FXGW_UPSTREAM_TIMEOUT and 3s to publish")
        }
        if !upstream.isEncrypted, !upstream.isLoopback, key != nil, !isUpstreamInsecureAllowed {
            reader.refuse(
                .upstreamURL,
                "would send the key in the open: use https, or FXGW_UPSTREAM_INSECURE=on if you must")
        }
        if clientsFile != nil, cacheVisibility == .public {
            reader.warn(.cacheVisibility, "is public: caches on the way answer without asking for a token")
        }
        if hasRatelimitFields, clients?.contains(where: { $0.allowance != nil }) != true {
            reader.warn(.ratelimitFields, "has no effect: no client in FXGW_CLIENTS_FILE has an allowance")
        }
        if key == nil, quotaPerMinute > Self.anonymousLimit {
            reader.warn(.quotaPerMinute, "is above what upstream grants without a key: 12 are used")
        }
    }

    private static let anonymousLimit = 12

    private static func isFleetByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return false }
        let host = text.drop { $0 != "/" }.dropFirst(2)
        return !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    }
}

extension Substring {
    /// Without the characters at its end for which `isDropped` holds.
    func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isDropped(last) { rest = rest.dropLast() }
        return rest
    }
}
