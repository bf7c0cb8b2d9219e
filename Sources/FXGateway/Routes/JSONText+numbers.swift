extension JSONText {
    /// An exact number by its text: as a JSON number, or as a string where the client asked for that.
    mutating func number(_ text: String, _ form: NumberForm) {
        switch form {
        case .number: verbatim(text)
        case .string: string(text)
        }
    }

    mutating func member(_ name: StaticString, number: String, _ form: NumberForm) {
        self.name(name)
        self.number(number, form)
    }
}
