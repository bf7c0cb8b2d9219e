/// What was remarkable about an accepted answer: for counters, logs and the status page.
package struct IngestNotes: Hashable, Sendable {
    /// Symbols without a usable rate of their own, in the order of their codes.
    package var missing: [Missing] = []
    /// The names of classes that this version doesn't know, sorted, each once.
    package var unknownSources: [String] = []
    /// Symbols whose class is another one than in the held table, in the order of their codes.
    package var classChanges: [ClassChange] = []
    /// Symbols whose new value is held back from this answer on, in the order of their codes.
    package var quarantined: [Currency] = []
    /// Symbols whose held back value has been confirmed and is taken.
    package var confirmed: [Currency] = []
    /// Symbols whose value came back to the last one, so that nothing is held back any more.
    package var dismissed: [Currency] = []
    /// How often each small fault occurred; none that didn't.
    package var counts: [Remark: Int] = [:]

    /// A symbol that the answer has no usable rate for.
    package struct Missing: Hashable, Sendable {
        package let currency: Currency
        package let reason: MissingReason
        /// Whether its held value goes on under its own time.
        package let isKept: Bool
    }

    /// A symbol that upstream moved from one class to another.
    package struct ClassChange: Hashable, Sendable {
        package let currency: Currency
        package let from: Source
        package let to: Source
    }

    /// Why a symbol is missing; the raw value is the word for metrics.
    package enum MissingReason: String, Hashable, Sendable, CaseIterable {
        /// Null, a string, anything but a JSON number.
        case notANumber = "not_a_number"
        case zero
        case negative
        /// More digits than a rate can hold exactly.
        case tooManyDigits = "too_many_digits"
        case outOfRange = "out_of_range"
        /// It was in the held table and is not named any more.
        case vanished
    }

    /// A fault that doesn't spoil the answer; the raw value is the word for metrics.
    package enum Remark: String, Hashable, Sendable, CaseIterable {
        /// The content type isn't JSON, though the body is.
        case contentType = "content_type"
        /// A name in `rates` that can't be a currency code: skipped.
        case invalidCode = "invalid_code"
        /// More symbols than allowed: the later ones are skipped.
        case tooManySymbols = "too_many_symbols"
        /// A symbol's own time can't be read or is ahead of the clock: the table's data time holds.
        case symbolTime = "symbol_time"
        /// A known field has another type or is too long: as if it were absent.
        case field
        /// An unknown field that the limit has no room for: dropped.
        case extraDropped = "extra_dropped"
    }

    /// Counts a remark once more.
    mutating func add(_ remark: Remark) { counts[remark, default: 0] += 1 }
}

extension IngestNotes.MissingReason {
    init(_ error: RateTextError) {
        self =
            switch error {
            case .notANumber: .notANumber
            case .zero: .zero
            case .negative: .negative
            case .tooManyDigits: .tooManyDigits
            case .outOfRange: .outOfRange
            }
    }
}
