import Testing

@Suite("Placeholder") struct Placeholder {}
