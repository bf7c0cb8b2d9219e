import CCurl

/// One GET of upstream, as libcurl is to make it.
struct UpstreamRequest: Sendable {
    let url: String
    /// Whether packets are encrypted: only then may a proxy of the environment stand between.
    let isEncrypted: Bool
    /// Our own head fields, with the key among them: not to be shown.
    let lines: [String]
    let userAgent: String
    let bodyLimit: Int

    /// Sets everything that is not libcurl's own default on a handle.
    ///
    /// HTTP/1.1, since a connection that carries one request gains nothing from HTTP/2. Over plain http no proxy is used:
    /// it would see the key. libcurl's own time limits stay off, as the call has its own.
    func configure(_ easy: UnsafeMutableRawPointer) {
        fxgw_curl_text(easy, CURLOPT_URL, url)
        fxgw_curl_text(easy, CURLOPT_USERAGENT, userAgent)
        fxgw_curl_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        if !isEncrypted { fxgw_curl_text(easy, CURLOPT_PROXY, "") }
        fxgw_curl_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        fxgw_curl_number(easy, CURLOPT_FOLLOWLOCATION, 0)
        fxgw_curl_number(easy, CURLOPT_PATH_AS_IS, 1)
        fxgw_curl_number(easy, CURLOPT_FRESH_CONNECT, 1)
        fxgw_curl_number(easy, CURLOPT_FORBID_REUSE, 1)
        // Signals belong to the whole process, and time limits without them need a resolver of its own thread.
        fxgw_curl_number(easy, CURLOPT_NOSIGNAL, 1)
        fxgw_curl_number(easy, CURLOPT_QUICK_EXIT, 1)
        fxgw_curl_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        fxgw_curl_number(easy, CURLOPT_NOPROGRESS, 1)
    }
}
