import AppReceipt
import AppStoreSimulator

/// Encodes a container as a streaming writer does: with indefinite lengths and the content in pieces.
enum BERStream {
    static func reencode(_ container: [UInt8], pieceSize: Int) throws -> [UInt8] {
        var reader = try BERReader(container[...])
        return try stream(reader.next(), path: [0, 1, 0, 2, 1, 0], pieceSize)
    }

    /// Follows `path`, member by member, to the OCTET STRING with the content; everything else keeps its encoding.
    private static func stream(_ element: BERElement, path: [Int], _ pieceSize: Int) throws -> [UInt8] {
        guard let position = path.first, path.count > 1 else {
            return pieces(try element.octets("the content"), pieceSize)
        }
        var members: [UInt8] = []
        var reader = try element.members("members")
        var index = 0
        while !reader.isAtEnd {
            let member = try reader.next()
            let isOnPath = index == (path.count > 1 ? path[1] : position)
            members += isOnPath ? try stream(member, path: Array(path.dropFirst()), pieceSize) : Array(member.encoding)
            index += 1
        }
        return [element.encoding[element.encoding.startIndex], 0x80] + members + [0, 0]
    }

    private static func pieces(_ octets: ArraySlice<UInt8>, _ size: Int) -> [UInt8] {
        var pieces: [UInt8] = []
        var rest = octets
        while !rest.isEmpty {
            pieces += DEREncoding.octetString(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return [0x24, 0x80] + pieces + [0, 0]
    }
}
