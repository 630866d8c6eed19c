/// The class and the number of an ASN.1 tag (X.690, section 8.1.2), without the bit for constructed elements.
package struct ASN1Tag: Equatable, Sendable {
    /// The two class bits above the number, so that tags compare as integers.
    private let rawValue: UInt32

    package init(tagClass: Class, number: UInt32) {
        rawValue = UInt32(tagClass.rawValue) << 30 | (number & ASN1Tag.maximumNumber)
    }

    package var tagClass: Class {
        Class(rawValue: UInt8(truncatingIfNeeded: rawValue >> 30)) ?? .universal
    }

    package var number: UInt32 {
        rawValue & ASN1Tag.maximumNumber
    }

    package enum Class: UInt8, Sendable {
        case universal = 0
        case application = 1
        case contextSpecific = 2
        case privateUse = 3
    }

    /// Far above any number in use, and small enough to share a word with the class bits.
    package static let maximumNumber: UInt32 = 0x3FFF_FFFF

    package static func context(_ number: UInt32) -> ASN1Tag {
        ASN1Tag(tagClass: .contextSpecific, number: number)
    }

    private static func universal(_ number: UInt32) -> ASN1Tag {
        ASN1Tag(tagClass: .universal, number: number)
    }

    package static let endOfContents = universal(0)
    package static let boolean = universal(1)
    package static let integer = universal(2)
    package static let bitString = universal(3)
    package static let octetString = universal(4)
    package static let null = universal(5)
    package static let objectIdentifier = universal(6)
    package static let enumerated = universal(10)
    package static let utf8String = universal(12)
    package static let sequence = universal(16)
    package static let set = universal(17)
    package static let printableString = universal(19)
    package static let ia5String = universal(22)
    package static let utcTime = universal(23)
    package static let generalizedTime = universal(24)
    package static let visibleString = universal(26)
}

extension ASN1Tag: CustomStringConvertible {
    package var description: String {
        switch tagClass {
        case .universal: ASN1Tag.universalNames[number] ?? "universal \(number)"
        case .application: "[application \(number)]"
        case .contextSpecific: "[\(number)]"
        case .privateUse: "[private \(number)]"
        }
    }

    private static let universalNames: [UInt32: String] = [
        0: "end-of-contents", 1: "BOOLEAN", 2: "INTEGER", 3: "BIT STRING", 4: "OCTET STRING", 5: "NULL",
        6: "OBJECT IDENTIFIER",
        10: "ENUMERATED",
        12: "UTF8String", 16: "SEQUENCE", 17: "SET", 19: "PrintableString", 20: "T61String", 22: "IA5String",
        23: "UTCTime",
        24: "GeneralizedTime", 26: "VisibleString", 30: "BMPString",
    ]
}
