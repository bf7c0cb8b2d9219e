extension PlannedAnswer {
    /// Changes the answer as a fault demands.
    ///
    /// What the caller sent as its key is only used by a fault that echoes it.
    mutating func apply(_ fault: Fault, authorization: String?) {
        if let status = fault.status { self.status = status }
        if let location = fault.redirect {
            if fault.status == nil { status = 302 }
            body = []
            setHeader("Location", location)
        }
        if let body = fault.body { self.body = body }
        if let size = fault.gzipBomb {
            body = GzipBomb.bytes(unpackingTo: size)
            setHeader("Content-Encoding", "gzip")
        }
        for header in fault.headers { setHeader(header.name, nil) }
        for header in fault.headers {
            if let value = header.value { headers.append((header.name, value)) }
        }
        raw = fault.raw
        if fault.echoesKey { echo(authorization ?? "") }
        for number in 0..<fault.fillerFields {
            headers.append(("X-Filler-\(number)", String(repeating: "x", count: 1_000)))
        }
        delay = fault.delay
        drip = fault.drip
        dripsHead = fault.dripsHead
        truncate = fault.truncate
        ending = fault.ending ?? (fault.truncate == nil ? nil : .close)
        if isSilent { status = 0 }
    }

    private mutating func echo(_ secret: String) {
        let text = String(decoding: body, as: UTF8.self)
        if text.contains(Self.placeholder) {
            body = Array(Self.filled(text, secret).utf8)
        } else if !headers.contains(where: { $0.value.contains(Self.placeholder) }) {
            body = Array(
                JSONText.object([
                    ("result", "\"error\""), ("code", "\"invalid_api_key\""),
                    ("message", JSONText.quoted("The API key \(secret) is not valid.")),
                ]).utf8)
        }
        for index in headers.indices { headers[index].value = Self.filled(headers[index].value, secret) }
    }

    private static let placeholder = "{authorization}"

    private static func filled(_ text: String, _ secret: String) -> String {
        text.split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: secret)
    }
}
