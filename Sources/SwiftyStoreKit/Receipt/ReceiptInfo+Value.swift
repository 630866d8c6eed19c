import AppReceipt
import Foundation

extension ReceiptInfo {
    /// Foundation objects that cannot change, the same on every platform, for what a server said.
    init(_ members: [String: ReceiptValue]) {
        self = members.mapValues { $0.foundationObject }
    }
}

extension ReceiptValue {
    fileprivate var foundationObject: NSObject {
        switch self {
        case .null: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .number(let text): Self.number(text)
        case .string(let text): NSString(string: text)
        case .array(let elements): NSArray(array: elements.map(\.foundationObject))
        case .object(let members): NSDictionary(dictionary: members.mapValues(\.foundationObject))
        case .data(let data): NSData(data: data)
        }
    }

    /// A whole number as one, so that no digit of an identifier is lost.
    private static func number(_ text: String) -> NSNumber {
        if let number = Int64(text) { return NSNumber(value: number) }
        if let number = UInt64(text) { return NSNumber(value: number) }
        return NSNumber(value: Double(text) ?? .nan)
    }
}
