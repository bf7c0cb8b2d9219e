import CacheLayer
import ExchangeRateClient
import Testing

@testable import FXGateway

/// The client library stands alone, so the list of upstream's error codes is there twice.
@Suite("Upstream's words, here and in the client library")
struct UpstreamWordTests {
    @Test(
        "the library knows every code that the gateway reads, and beyond them only the gateway's own problems"
    )
    func sameList() {
        let gateway = Set(UpstreamProblem.allCases.map(\.rawValue))
        let library = Set(ErrorCode.allCases.map(\.rawValue))
        #expect(gateway.subtracting(library).isEmpty)
        let own = Set(ProblemKind.allCases.map { "\($0.slug)".replacing("-", with: "_") })
        #expect(library.subtracting(gateway).subtracting(own).isEmpty)
        #expect(library.count > gateway.count)
    }
}
