extension ControlRecord {
    /// The control of a process that has ended, as the next one takes it over.
    ///
    /// Nobody is left to finish the open records: they end now and will count as failures, spent as they are. A month more
    /// than one ahead of the clock was written under a wrong clock: it would keep its count for years, so the count is
    /// taken for the present month's, and for no less than the blank share.
    func resumed(at now: UnixMilliseconds, above token: FencingToken, plan: QuotaPlan) -> ControlRecord {
        var control = self
        control.epoch = max(control.epoch, token.value)
        for place in control.flights.indices {
            control.flights[place].end = min(control.flights[place].end, now.value)
        }
        let present = Month(containing: now)
        if control.ledger.month > present.next {
            let counted = control.ledger.counted
            control.ledger = LedgerRecord(month: present)
            control.ledger.counted = counted
            let numbers = PlanNumbers(plan)
            let blank = Pace.blankShare(at: now, plan: numbers.monthly)
            control.ledger.assume(
                max(0, blank - counted), of: numbers.monthly, .before, at: now.value)
        }
        return control
    }
}
