/// What services do without a gateway: a cache with a lifetime, in each process or in a Redis that all share.
///
/// A model in its kindest form: nothing fails, and Redis answers at once.
package enum PlainCache: String, Sendable, CaseIterable {
    /// In each instance's memory; requests that miss while one fetches wait for that one.
    case own
    /// A value with a lifetime in a shared Redis, asked for with each request; those of one instance that miss share a fetch.
    case shared
    /// The same, where each request that misses fetches for itself, as most libraries' caches do.
    case sharedUnjoined

    /// What the point costs with this kind of cache.
    package func run(_ settings: SweepSettings) -> SweepResult {
        var life = Life(kind: self, settings: settings)
        return life.run()
    }

    /// A run: fetches under way, and until when what is cached lives, in ticks.
    private struct Life {
        private static let key = "rates:latest:EUR"
        private static let getBytes = bytes(of: ["GET", key])
        /// Without the value.
        private static let setBytes = bytes(of: ["SET", key, "PX", "60000"])
        private static let missBytes = "$-1\r\n".utf8.count
        private static let okBytes = "+OK\r\n".utf8.count

        let kind: PlainCache
        let settings: SweepSettings
        /// The value as a bulk string.
        let value: Int
        let lifetime: Int
        let latency: Int
        /// When what each instance holds ends; one value for all where Redis has it.
        var ends: [Int]
        /// When the fetches of each instance land.
        var landings: [[Int]]

        init(kind: PlainCache, settings: SweepSettings) {
            self.kind = kind
            self.settings = settings
            let body = SweepFleet.bodyBytes(settings)
            value = "$\(body)\r\n\r\n".utf8.count + body
            lifetime = settings.warmUp
            latency = max(1, Int(settings.latency / SweepSettings.tick))
            ends = Array(repeating: 0, count: kind == .own ? settings.instances : 1)
            landings = Array(repeating: [], count: settings.instances)
        }

        /// A command in Redis's protocol: an array of bulk strings.
        private static func bytes(of words: [String]) -> Int {
            words.reduce("*\(words.count)\r\n".utf8.count) { sum, word in
                sum + "$\(word.utf8.count)\r\n\(word)\r\n".utf8.count
            }
        }

        mutating func run() -> SweepResult {
            var crowd = SweepCrowd(settings)
            var result = SweepResult()
            for tick in 0..<(settings.warmUp + settings.ticks) {
                if tick == settings.warmUp { result = SweepResult() }
                let requests = crowd.requests(at: tick)
                for instance in requests.indices {
                    land(instance, at: tick, &result)
                    ask(instance, requests[instance], at: tick, &result)
                }
            }
            return result
        }

        private mutating func land(_ instance: Int, at tick: Int, _ result: inout SweepResult) {
            let landed = landings[instance].count { $0 <= tick }
            guard landed > 0 else { return }
            landings[instance].removeAll { $0 <= tick }
            ends[kind == .own ? instance : 0] = tick + lifetime
            guard kind != .own else { return }
            result.sets += landed
            result.plainBytesIn += landed * (Self.setBytes + value)
            result.plainBytesOut += landed * Self.okBytes
        }

        private mutating func ask(
            _ instance: Int, _ requests: Int, at tick: Int, _ result: inout SweepResult
        ) {
            guard requests > 0 else { return }
            result.requests += requests
            let isHit = tick < ends[kind == .own ? instance : 0]
            if kind != .own {
                result.gets += requests
                result.plainBytesIn += requests * Self.getBytes
                result.plainBytesOut += requests * (isHit ? value : Self.missBytes)
            }
            guard !isHit else { return }
            result.waited += requests
            switch kind {
            case .own, .shared:
                guard landings[instance].isEmpty else { return }
                landings[instance].append(tick + latency)
                result.upstreamCalls += 1
            case .sharedUnjoined:
                landings[instance] += Array(repeating: tick + latency, count: requests)
                result.upstreamCalls += requests
            }
        }
    }
}
