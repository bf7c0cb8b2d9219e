@testable import CacheLayer
@testable import FXGateway
@testable import HTTPEngine

/// What stands in the store in a snapshot's place, and what is answered from it.
///
/// The input is the document; what stands beside it in the store is taken from it, so that it gets far.
enum SnapshotTarget {
    private static let codec = SnapshotCodec(policy: TierPolicy())

    static func run(_ bytes: [UInt8]) {
        guard let root = try? JSONTree.parse(bytes, depth: 5), let stored = stored(root, bytes) else {
            return
        }
        do throws(SnapshotCodecError) {
            let snapshot = try codec.decode(stored)
            claimComesBack(snapshot)
            claimIsAnswered(snapshot)
        } catch {
            claimIsFit(error.rawValue, atMost: 20)
        }
    }

    /// The store's form of a snapshot gives the same snapshot, and that the same form.
    static func claimComesBack(_ snapshot: RateSnapshot) {
        let form = codec.encode(snapshot)
        claim(form.keepFor > .zero, "a snapshot is kept for \(form.keepFor)")
        claim(form.body.count <= SnapshotCodec.largestBody, "a snapshot has \(form.body.count) bytes")
        do throws(SnapshotCodecError) {
            let again = try codec.decode(form)
            claim(again.table == snapshot.table, "another table comes back")
            claim(again.year == snapshot.year, "another year comes back")
            claim(again.list == snapshot.list, "another list comes back")
            claim(again.order == snapshot.order && again.interval == snapshot.interval, "another order")
            claim(codec.encode(again) == form, "the same snapshot has another form")
        } catch {
            fatalError("what was encoded is \(error.rawValue): \(Parts.text(form.body).debugDescription)")
        }
    }

    /// What stands beside a document, by the document itself.
    private static func stored(_ root: JSONTree, _ body: [UInt8]) -> StoredSnapshot? {
        guard let resource = root["resource"]?.string.flatMap({ Resource(name: $0) }),
            let id = root["id"]?.string.flatMap({ SnapshotID(parsing: $0) }),
            let token = integer(root["token"]), let fetchedAt = integer(root["fetched_at"])
        else { return nil }
        func form(_ dataTime: UnixMilliseconds, _ source: Source) -> StoredSnapshot {
            StoredSnapshot(
                resource: resource, id: id, token: FencingToken(token),
                fetchedAt: UnixMilliseconds(fetchedAt),
                dataTime: dataTime, source: source, body: body, keepFor: .seconds(1))
        }
        let fields = SnapshotCodecFields(root)
        if let newest = (try? fields?.year(of: resource))??.newestTable {
            return form(newest.dataTime.instant, newest.source)
        }
        if resource == .currencies {
            return form(UnixMilliseconds(fetchedAt), CurrencyList.table(arrived: UnixMilliseconds(0)).source)
        }
        let dataTime = root["data_time"]?.elements?.at(1).flatMap(integer) ?? 0
        return form(UnixMilliseconds(dataTime), Source(name: root["source"]?.string ?? ""))
    }

    private static func integer(_ tree: JSONTree?) -> Int64? { tree?.number.flatMap { Int64($0) } }

    /// Every answer from it is JSON, and no line of its header ends early.
    static func claimIsAnswered(_ snapshot: RateSnapshot) {
        let clock = GatewayClock.system
        for later in [Duration.zero, .seconds(3_600)] {
            let view = ResourceView(
                adopted: Adopted(snapshot, storeNow: snapshot.fetchedAt + later, arrived: clock.now()),
                condition: .idle)
            guard let holding = Holding(view, clock: clock, policy: TierPolicy()) else { return }
            if let list = snapshot.list {
                let standing = EntryStanding(of: nil, in: snapshot, age: later, policy: TierPolicy())
                claimIsJSON(ListRenderer.body(list, list.entries, holding, standing))
                continue
            }
            let base = snapshot.table.base
            var wishes: [SnapshotTable.Wish] = [.all]
            var bases = [base]
            if let first = snapshot.table.symbols.first?.currency {
                wishes.append(.each([first]))
                bases.append(first)
            }
            for (wish, asked) in wishes.flatMap({ wish in bases.map { (wish, $0) } }) {
                guard
                    case .served(let plan) = SnapshotTable.judge(
                        holding, base: asked, wish: wish, policy: TierPolicy(), at: holding.born)
                else { continue }
                for body in [BodyRenderer.latest(plan, .number), BodyRenderer.day(plan, .string)] {
                    claimIsJSON(body)
                    claimIsHeader(
                        RenderedAnswer(
                            route: .latest, plan: plan, holding: holding, wanted: snapshot.resource,
                            body: body, visibility: .private, demand: DemandNote()))
                }
            }
        }
    }

    private static func claimIsJSON(_ body: [UInt8]) {
        do throws(JSONFault) {
            _ = try JSONTree.parse(body, depth: 64)
        } catch {
            fatalError("an answer is \(error): \(Parts.text(body).debugDescription)")
        }
    }

    private static func claimIsHeader(_ answer: RenderedAnswer) {
        let lines = Parts.text(answer.lines).split(separator: "\r\n", omittingEmptySubsequences: false)
        claim(lines.last == "", "the lines end with \(lines.last ?? "")")
        for line in lines.dropLast() {
            let isLine = line.utf8.allSatisfy { (0x20...0x7E).contains($0) } && line.contains(": ")
            claim(isLine, "a header line is \(line.debugDescription)")
        }
    }
}
