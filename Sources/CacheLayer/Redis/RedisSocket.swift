import CHiredis
import EventLoop
import Glibc

/// One connection of hiredis's async layer on one loop.
///
/// hiredis owns the context and frees it itself when the link ends. Two rules keep that safe: we never free it while one
/// of its functions is on the stack, and nobody is told of the end before that function has returned. Only on the loop's
/// own thread.
final class RedisSocket {
    enum Peer: Hashable {
        /// A numeric address: hiredis would look a name up and block.
        case address(String, port: Int)
        case unix(path: String)
    }

    /// Gets each reply and each push, in order.
    var onReply: (RedisReply) -> Void = { _ in }
    /// Told once, unless `close` came first.
    var onEnd: (RedisLinkEnd) -> Void = { _ in }
    /// Bytes of the peer have come since this was last set to false.
    var hasHeard = false

    private var context: UnsafeMutablePointer<redisAsyncContext>?
    private var tls: RedisTLS.Session?
    private let replyGuard: UnsafeMutablePointer<fxgw_guard>
    private let channel: UnsafeMutableBufferPointer<CChar>
    private var readWatch: EventWatch?
    private var writeWatch: EventWatch?
    /// One of hiredis's functions is on the stack.
    private var isInside = false
    private var isClosing = false
    /// Set by hiredis's end of the context, told afterwards.
    private var end: RedisLinkEnd?

    /// Begins to connect.
    ///
    /// `channel` is the only one that this link may subscribe to; with `tls` the server has to prove that it's `host`.
    /// - Throws: why it fails at once.
    init(
        peer: Peer, channel name: String?, tls: RedisTLS? = nil, host: String = "", loop: EventLoop
    ) throws(RedisLinkEnd) {
        let bytes = (name ?? "").utf8.map(CChar.init(bitPattern:))
        channel = .allocate(capacity: bytes.count + 1)
        _ = channel.initialize(from: bytes + [0])
        replyGuard = .allocate(capacity: 1)
        replyGuard.initialize(to: fxgw_guard())
        if name != nil {
            replyGuard.pointee.channel = UnsafePointer(channel.baseAddress)
            replyGuard.pointee.channel_length = bytes.count
        }
        fxgw_block_sigpipe()
        let opened =
            switch peer {
            case .address(let address, let port): redisAsyncConnect(address, Int32(port))
            case .unix(let path): redisAsyncConnectUnix(path)
            }
        guard let opened else { throw .unreachable }
        do throws(RedisLinkEnd) {
            guard opened.pointee.err == 0, opened.pointee.c.err == 0 else { throw .unreachable }
            if case .address = peer { redisEnableKeepAlive(&opened.pointee.c) }
            self.tls = try tls?.begin(on: &opened.pointee.c, host: host)
            guard opened.pointee.c.err == 0, attach(opened, to: loop) else { throw .unreachable }
        } catch {
            redisAsyncFree(opened)
            throw error
        }
    }

    deinit {
        replyGuard.deallocate()
        channel.deallocate()
    }

    /// Sends a command; its reply comes to `onReply`.
    ///
    /// - Returns: false if the link takes no commands any more.
    func send(_ arguments: [[UInt8]]) -> Bool {
        guard let context, !isClosing else { return false }
        return Self.withVector(arguments) { count, pointers, lengths in
            redisAsyncCommandArgv(
                context,
                { _, reply, data in
                    // hiredis gives nil for each command that the end of the link leaves without a reply. By then
                    // the owner may be gone.
                    guard let reply, let data else { return }
                    Unmanaged<RedisSocket>.fromOpaque(data).takeUnretainedValue()
                        .received(UnsafePointer(reply.assumingMemoryBound(to: redisReply.self)))
                }, Unmanaged.passUnretained(self).toOpaque(), count, pointers, lengths) == REDIS_OK
        }
    }

    /// Sends a command whose answer hiredis doesn't expect: the PING of a subscribed link.
    func sendUnasked(_ arguments: [[UInt8]]) {
        guard let context, !isClosing else { return }
        Self.withVector(arguments) { count, pointers, lengths in
            _ = redisAppendCommandArgv(&context.pointee.c, count, pointers, lengths)
        }
        writeWatch?.resume()
    }

    /// Ends the link without a word to `onEnd`; idempotent.
    func close() {
        isClosing = true
        // Inside hiredis the context is still in use: `run` frees it on the way out.
        guard !isInside, let context else { return }
        withExtendedLifetime(self) { redisAsyncFree(context) }
    }

    private func attach(_ opened: UnsafeMutablePointer<redisAsyncContext>, to loop: EventLoop) -> Bool {
        let descriptor = opened.pointee.c.fd
        fxgw_close_on_exec(descriptor)
        do throws(EventLoopError) {
            readWatch = try loop.watch(descriptor: descriptor, .readable) { [unowned self] _ in
                hasHeard = true
                run(redisAsyncHandleRead)
            }
            writeWatch = try loop.watch(descriptor: descriptor, .writable) { [unowned self] _ in
                run(redisAsyncHandleWrite)
            }
        } catch {
            return false
        }
        fxgw_guard_attach(replyGuard, opened)
        // Given back by `cleanup`: the context keeps this object, whoever else lets go of it.
        opened.pointee.ev.data = Unmanaged.passRetained(self).toOpaque()
        opened.pointee.ev.addRead = { RedisSocket.at($0)?.readWatch?.resume() }
        opened.pointee.ev.delRead = { RedisSocket.at($0)?.readWatch?.pause() }
        opened.pointee.ev.addWrite = { RedisSocket.at($0)?.writeWatch?.resume() }
        opened.pointee.ev.delWrite = { RedisSocket.at($0)?.writeWatch?.pause() }
        opened.pointee.ev.cleanup = { data in
            guard let data else { return }
            Unmanaged<RedisSocket>.fromOpaque(data).takeRetainedValue().contextEnds()
        }
        context = opened
        return true
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> RedisSocket? {
        data.map { Unmanaged<RedisSocket>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Lets hiredis work, then does what could not be done while it was on the stack.
    private func run(_ step: (UnsafeMutablePointer<redisAsyncContext>) -> Void) {
        guard let context else { return }
        withExtendedLifetime(self) {
            isInside = true
            step(context)
            isInside = false
            if let context = self.context {
                // hiredis keeps an unfinished string whole, however long it has been announced to be.
                if !isClosing, fxgw_unparsed(context) > FXGW_MAX_STRING + 65_536 {
                    end = .brokenProtocol
                }
                if isClosing || end != nil { redisAsyncFree(context) }
            }
            if let end, !isClosing {
                isClosing = true
                onEnd(end)
            }
        }
    }

    private func received(_ reply: UnsafePointer<redisReply>) {
        guard !isClosing, end == nil else { return }
        guard let reply = RedisReply(reply) else {
            end = .brokenProtocol
            return
        }
        onReply(reply)
    }

    /// Called by hiredis right before it frees the context.
    private func contextEnds() {
        guard let context else { return }
        self.context = nil
        readWatch?.cancel()
        writeWatch?.cancel()
        readWatch = nil
        writeWatch = nil
        if end == nil { end = reason(of: context) }
    }

    private func reason(of context: UnsafeMutablePointer<redisAsyncContext>) -> RedisLinkEnd {
        if replyGuard.pointee.refused != 0 { return .brokenProtocol }
        let isConnected = context.pointee.c.flags & REDIS_CONNECTED != 0
        if isConnected, let tls, tls.isRefused { return .tlsRefused }
        switch context.pointee.err {
        case REDIS_ERR_PROTOCOL, REDIS_ERR_OOM: return .brokenProtocol
        case REDIS_ERR_OTHER:
            // An error that no command waited for, such as the refusal of a subscription.
            guard let text = context.pointee.errstr,
                case .error(let prefix, let message) = RedisReply.error(line: String(cString: text))
            else { return .lost }
            let error = RedisServerError(prefix: prefix, message: message)
            return error.effect == .refusesLogin ? .loginRefused(error.prefix) : .serverError(error.prefix)
        default: return isConnected ? .lost : .unreachable
        }
    }

    /// Gives the arguments as C wants them: one block of bytes, a pointer and a length for each.
    private static func withVector<T>(
        _ arguments: [[UInt8]],
        _ body: (Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int>?) -> T
    ) -> T {
        let lengths = arguments.map(\.count)
        var block: [UInt8] = []
        block.reserveCapacity(lengths.reduce(1, +))
        for argument in arguments { block += argument }
        block.append(0)
        return block.withUnsafeBytes { bytes in
            var next = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var pointers = lengths.map { length in
                defer { next = next.map { $0 + length } }
                return next
            }
            return body(Int32(arguments.count), &pointers, lengths)
        }
    }
}
