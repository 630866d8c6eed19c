package import Foundation

/// A value in a configuration file, with its key path.
package struct ConfigurationNode {
    /// A JSON value.
    package enum Value: Decodable, Equatable {
        case null
        case bool(Bool)
        case number(Decimal)
        case string(String)
        case array([Value])
        case object([String: Value])

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let string = try? container.decode(String.self) {
                self = .string(string)
            } else if let bool = try? container.decode(Bool.self) {
                self = .bool(bool)
            } else if let number = try? container.decode(Decimal.self) {
                self = .number(number)
            } else if let array = try? container.decode([Value].self) {
                self = .array(array)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        /// The value in the form for error messages.
        package var summary: String {
            switch self {
            case .null: "null"
            case .bool(let bool): "\(bool)"
            case .number(let number): "\(number)"
            case .string(let string): "\"\(string.prefix(60))\""
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    package let value: Value
    package let keyPath: String

    package init(value: Value, keyPath: String) {
        self.value = value
        self.keyPath = keyPath
    }

    package init(data: Data) throws(SimulatedCatalogError) {
        do {
            self.init(value: try JSONDecoder().decode(Value.self, from: data), keyPath: "")
        } catch {
            throw SimulatedCatalogError(.notJSON, "The file is not JSON. \(Self.place(in: data, after: error))")
        }
    }

    /// Returns a sentence about the first error. Only the error of `JSONSerialization` contains an offset.
    private static func place(in data: Data, after error: any Error) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            return error.localizedDescription
        } catch {
            guard let reason = (error as NSError).userInfo["NSDebugDescription"] as? String else {
                return error.localizedDescription
            }
            guard let offset = reason.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }) else {
                return reason
            }
            let line = data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            return "The error is in line \(line)."
        }
    }

    /// Returns the value of a key; `nil` for a missing key and for null.
    package func optional(_ key: String) throws(SimulatedCatalogError) -> ConfigurationNode? {
        guard case .object(let members) = value else { throw wrongType("an object") }
        guard let member = members[key], member != .null else { return nil }
        return ConfigurationNode(value: member, keyPath: keyPath.isEmpty ? key : "\(keyPath).\(key)")
    }

    package func required(_ key: String) throws(SimulatedCatalogError) -> ConfigurationNode {
        guard let node = try optional(key) else {
            throw SimulatedCatalogError(
                .missingKey, at: keyPath.isEmpty ? key : "\(keyPath).\(key)", "the key is missing")
        }
        return node
    }

    /// Returns the elements of the array under a key; empty for a missing key.
    package func elements(_ key: String) throws(SimulatedCatalogError) -> [ConfigurationNode] {
        guard let node = try optional(key) else { return [] }
        guard case .array(let elements) = node.value else { throw node.wrongType("an array") }
        return elements.enumerated().map { ConfigurationNode(value: $1, keyPath: "\(node.keyPath)[\($0)]") }
    }

    package func string() throws(SimulatedCatalogError) -> String {
        guard case .string(let string) = value else { throw wrongType("a string") }
        return string
    }

    package func bool() throws(SimulatedCatalogError) -> Bool {
        guard case .bool(let bool) = value else { throw wrongType("true or false") }
        return bool
    }

    /// Returns a whole number in a range.
    package func integer(in range: ClosedRange<Int64>) throws(SimulatedCatalogError) -> Int64 {
        guard case .number(let number) = value else { throw wrongType("a number") }
        // Check the range first, because a Decimal beyond Int64 can't be converted.
        guard number >= Decimal(range.lowerBound), number <= Decimal(range.upperBound) else {
            throw invalid("is not between \(range.lowerBound) and \(range.upperBound)")
        }
        guard let integer = Int64("\(number)") else { throw invalid("is not a whole number") }
        return integer
    }

    /// Returns a price: a nonnegative number, written as a string (as Xcode does) or as a number.
    package func price() throws(SimulatedCatalogError) -> Decimal {
        let price: Decimal?
        switch value {
        case .number(let number): price = number
        case .string(let string): price = Self.decimal(string)
        default: throw wrongType("a price")
        }
        guard let price, price.isFinite else { throw invalid("is not a price") }
        guard price >= 0 else { throw invalid("is a negative price") }
        return price
    }

    func wrongType(_ expected: String) -> SimulatedCatalogError {
        SimulatedCatalogError(.wrongType, at: keyPath, "\(value.summary) is not \(expected)")
    }

    package func invalid(_ reason: String) -> SimulatedCatalogError {
        SimulatedCatalogError(.invalidValue, at: keyPath, "\(value.summary) \(reason)")
    }

    /// Reads digits with at most one point. `Decimal(string:)` alone also accepts text after the digits.
    private static func decimal(_ string: String) -> Decimal? {
        let digits = string.hasPrefix("-") ? string.dropFirst() : string[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, digits.utf8.count <= 30 else { return nil }
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
        return Decimal(string: string, locale: Locale(identifier: "en_US_POSIX"))
    }
}
