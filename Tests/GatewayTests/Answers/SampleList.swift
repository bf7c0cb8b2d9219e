import CacheLayer
import TestSupport

@testable import FXGateway

/// Lists of currencies to answer from.
enum SampleList {
    static let text = """
        {"result":"success","currencies":[{"code":"EUR","name":"Euro","type":"fiat","decimals":2,"derived":false},\
        {"code":"JPY","name":"Japanese Yen","type":"fiat","decimals":0,"derived":false},\
        {"code":"XAU","name":"Gold","type":"metal","decimals":4,"derived":true,"unit":"oz"}],"notice":"x"}
        """

    static func snapshot(
        _ text: String = text, token: Int64 = 1, fetchedAt: UnixMilliseconds = SampleTable.fetchedAt
    ) throws(IngestError) -> RateSnapshot {
        try Ingest.currencies(
            from: Array(text.utf8), status: 200, contentType: "application/json", storeNow: fetchedAt
        ).snapshot(
            of: .currencies, token: FencingToken(token), fetchedAt: fetchedAt, interval: .seconds(86_400))
    }
}

extension GatewayRig {
    /// Has all loops adopt a list of currencies that was fetched when the clocks began to stand still.
    @discardableResult
    func hold(
        list text: String, condition: RefreshCondition = .idle, isOwnFetch: Bool = false, token: Int64 = 1,
        fetchedAt: UnixMilliseconds = SampleTable.fetchedAt
    ) async throws -> RateSnapshot {
        let snapshot = try SampleList.snapshot(text, token: token, fetchedAt: fetchedAt)
        let adopted = Adopted(snapshot, storeNow: time.wall, arrived: time.source.now())
        await show(
            .currencies, ResourceView(adopted: adopted, condition: condition), isOwnFetch: isOwnFetch)
        return snapshot
    }
}
