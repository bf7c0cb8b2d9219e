@main
struct FXBenchMain {
    static func main() {}
}
