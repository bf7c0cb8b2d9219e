// swift-tools-version: 6.2
import PackageDescription

/// One list of strict settings for every Swift target: warnings are errors, upcoming features are on.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// For what runs on the event loops: in a release, accesses to their state aren't watched for overlaps while the program runs.
///
/// That costs a quarter of a hit's instructions (docs/performance.md). All tests run with the checks on, and what one loop
/// holds is touched by its thread alone.
let hot =
    strict + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

let package = Package(
    name: "fx-gateway",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "fxgateway", targets: ["FXGateway"]),
        .library(name: "ExchangeRateClient", targets: ["ExchangeRateClient"]),
    ],
    targets: [
        .systemLibrary(name: "CHiredis"),
        .systemLibrary(name: "CLibevent"),
        .systemLibrary(name: "CJSON"),
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CCurl"),
        .target(name: "CLLHTTP"),
        .target(name: "CECBRates", exclude: ["ecb-rates.csv"]),
        .target(name: "COpenAPI"),
        .target(name: "CDashboard", exclude: ["page"]),
        .target(name: "EventLoop", dependencies: ["CLibevent"], swiftSettings: strict),
        .target(name: "Telemetry", swiftSettings: strict),
        .target(
            name: "HTTPEngine", dependencies: ["EventLoop", "CLLHTTP", "Telemetry"], swiftSettings: hot),
        .target(name: "ExchangeRateClient", swiftSettings: strict),
        .target(
            name: "CacheLayer", dependencies: ["CHiredis", "CJSON", "CSodium", "EventLoop", "Telemetry"],
            swiftSettings: strict),
        .target(
            name: "UpstreamSimulator", dependencies: ["HTTPEngine", "EventLoop", "CECBRates", "Telemetry"],
            swiftSettings: strict),
        .executableTarget(
            name: "FXGateway",
            dependencies: [
                "HTTPEngine", "EventLoop", "CacheLayer", "CCurl", "COpenAPI", "CDashboard",
                "UpstreamSimulator", "Telemetry",
            ],
            swiftSettings: hot),
        .target(
            name: "TestSupport", dependencies: ["CacheLayer", "EventLoop", "Telemetry", "UpstreamSimulator"],
            swiftSettings: strict),
        .executableTarget(
            name: "FXBench", dependencies: ["CacheLayer", "HTTPEngine", "TestSupport", "UpstreamSimulator"],
            swiftSettings: strict),
        .executableTarget(
            name: "DailyReport", dependencies: ["ExchangeRateClient"], path: "Examples/DailyReport",
            swiftSettings: strict),
        .executableTarget(
            name: "PriceService", dependencies: ["ExchangeRateClient"], path: "Examples/PriceService",
            swiftSettings: strict),
        .testTarget(
            name: "CacheLayerTests",
            dependencies: ["CacheLayer", "EventLoop", "Telemetry", "TestSupport", "UpstreamSimulator"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPEngineTests", dependencies: ["HTTPEngine", "EventLoop", "TestSupport"],
            resources: [.copy("Vectors")], swiftSettings: strict),
        .testTarget(
            name: "ExchangeRateClientTests",
            dependencies: ["CacheLayer", "DailyReport", "ExchangeRateClient", "PriceService", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "FXGateway", "CacheLayer", "EventLoop", "ExchangeRateClient", "HTTPEngine", "Telemetry",
                "TestSupport", "UpstreamSimulator",
            ],
            resources: [.copy("Samples")],
            swiftSettings: strict),
    ]
)
