@main
struct FXGatewayMain {
    static func main() {}
}
