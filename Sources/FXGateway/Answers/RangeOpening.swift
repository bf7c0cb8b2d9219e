/// What can be said of a range before its rows are looked at.
enum RangeOpening {
    /// All that it needs is here.
    case draft(RangeDraft)
    /// There is no page to make.
    case closed(RangeOutcome)
}
