/// Names and minor units of the currencies that the reference rates hold or held.
enum CurrencyNames {
    static func name(of code: String) -> String { names[code] ?? code }

    /// Digits of the minor unit by ISO 4217.
    static func decimals(of code: String) -> Int { withoutMinorUnit.contains(code) ? 0 : 2 }

    private static let withoutMinorUnit: Set<String> = ["ISK", "JPY", "KRW"]

    private static let names = [
        "AUD": "Australian Dollar", "BGN": "Bulgarian Lev", "BRL": "Brazilian Real", "CAD": "Canadian Dollar",
        "CHF": "Swiss Franc", "CNY": "Chinese Yuan", "CYP": "Cypriot Pound", "CZK": "Czech Koruna",
        "DKK": "Danish Krone", "EEK": "Estonian Kroon", "EUR": "Euro", "GBP": "British Pound",
        "HKD": "Hong Kong Dollar", "HRK": "Croatian Kuna", "HUF": "Hungarian Forint",
        "IDR": "Indonesian Rupiah",
        "ILS": "Israeli Shekel", "INR": "Indian Rupee", "ISK": "Icelandic Krona", "JPY": "Japanese Yen",
        "KRW": "South Korean Won", "LTL": "Lithuanian Litas", "LVL": "Latvian Lats", "MTL": "Maltese Lira",
        "MXN": "Mexican Peso", "MYR": "Malaysian Ringgit", "NOK": "Norwegian Krone",
        "NZD": "New Zealand Dollar",
        "PHP": "Philippine Peso", "PLN": "Polish Zloty", "ROL": "Romanian Leu (before 2005)",
        "RON": "Romanian Leu", "RUB": "Russian Ruble", "SEK": "Swedish Krona", "SGD": "Singapore Dollar",
        "SIT": "Slovenian Tolar", "SKK": "Slovak Koruna", "THB": "Thai Baht",
        "TRL": "Turkish Lira (before 2005)",
        "TRY": "Turkish Lira", "USD": "US Dollar", "ZAR": "South African Rand",
    ]
}
