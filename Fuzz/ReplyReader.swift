import CHiredis
import Glibc

@testable import CacheLayer

/// hiredis's reader with our guard in it, as it stands in a link, without the link.
struct ReplyReader: Equatable {
    private(set) var replies: [RedisReply] = []
    /// Nothing more is read: what came was refused, or is no RESP2.
    private(set) var isBroken = false

    private static let channel = "fx:events"

    /// What becomes of pieces that come one after the other.
    static func replies(of pieces: [ArraySlice<UInt8>], isPush: Bool) -> ReplyReader {
        var result = ReplyReader()
        let context = UnsafeMutablePointer<redisAsyncContext>.allocate(capacity: 1)
        memset(context, 0, MemoryLayout<redisAsyncContext>.size)
        let awaited = UnsafeMutablePointer<redisCallback>.allocate(capacity: 1)
        memset(awaited, 0, MemoryLayout<redisCallback>.size)
        let replyGuard = UnsafeMutablePointer<fxgw_guard>.allocate(capacity: 1)
        replyGuard.initialize(to: fxgw_guard())
        let name = strdup(channel)
        replyGuard.pointee.channel = UnsafePointer(name)
        replyGuard.pointee.channel_length = channel.utf8.count
        context.pointee.c.reader = redisReaderCreate()
        if isPush {
            context.pointee.c.flags = REDIS_SUBSCRIBED
        } else {
            context.pointee.replies.head = awaited
        }
        fxgw_guard_attach(replyGuard, context)
        for piece in pieces where !result.isBroken { result.feed(Array(piece), context) }
        redisReaderFree(context.pointee.c.reader)
        free(name)
        replyGuard.deallocate()
        awaited.deallocate()
        context.deallocate()
        return result
    }

    private mutating func feed(_ bytes: [UInt8], _ context: UnsafeMutablePointer<redisAsyncContext>) {
        let reader = context.pointee.c.reader
        bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            if redisReaderFeed(reader, start, buffer.count) != REDIS_OK { isBroken = true }
        }
        while !isBroken {
            var reply: UnsafeMutableRawPointer?
            guard redisReaderGetReply(reader, &reply) == REDIS_OK else {
                isBroken = true
                return
            }
            guard let reply else { return }
            defer { freeReplyObject(reply) }
            guard let copy = RedisReply(UnsafePointer(reply.assumingMemoryBound(to: redisReply.self))) else {
                isBroken = true
                return
            }
            replies.append(copy)
        }
    }
}
