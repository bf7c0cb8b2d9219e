/// A currency as the map form of the list has it, under its code.
struct CurrencyBody: Decodable {
    let name: String?
    let type: String?
    let decimals: Int?
    let derived: Bool?
}
