/// Cuts what a hash function is fed into blocks, and pads the last one (FIPS 180-4, 5.1).
struct BlockBuffer {
    private let blockSize: Int
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    init(blockSize: Int) {
        self.blockSize = blockSize
    }

    /// Takes in `bytes` and returns the blocks now complete; those that lie within `bytes` are slices of it.
    mutating func append(_ bytes: ArraySlice<UInt8>) -> Blocks {
        byteCount &+= UInt64(bytes.count)
        var rest = bytes
        var first: ArraySlice<UInt8>?
        if !pending.isEmpty {
            let missing = rest.prefix(blockSize - pending.count)
            pending += missing
            rest = rest[missing.endIndex...]
            if pending.count == blockSize {
                first = pending[...]
                pending = []
            }
        }
        let whole = rest.prefix(rest.count - rest.count % blockSize)
        if pending.isEmpty {
            pending = Array(rest[whole.endIndex...])
        }
        return Blocks(first: first, rest: whole, blockSize: blockSize)
    }

    /// The one or two last blocks: what is pending, a one bit, zeros, and the length in bits in `lengthSize` bytes.
    func padding(lengthSize: Int) -> Blocks {
        var tail = pending + [0x80]
        while tail.count % blockSize != blockSize - lengthSize {
            tail.append(0)
        }
        tail += Array(repeating: 0, count: lengthSize - 8)
        tail += (byteCount &* 8).bigEndianBytes
        return Blocks(first: nil, rest: tail[...], blockSize: blockSize)
    }

    struct Blocks: Sequence, IteratorProtocol {
        fileprivate var first: ArraySlice<UInt8>?
        fileprivate var rest: ArraySlice<UInt8>
        fileprivate let blockSize: Int

        mutating func next() -> ArraySlice<UInt8>? {
            if let block = first {
                first = nil
                return block
            }
            guard rest.count >= blockSize else { return nil }
            let block = rest.prefix(blockSize)
            rest = rest[block.endIndex...]
            return block
        }
    }
}

extension FixedWidthInteger {
    /// Reads the word whose most significant byte is at `index`.
    init(bigEndian bytes: ArraySlice<UInt8>, at index: Int) {
        var word: Self = 0
        for offset in 0..<(Self.bitWidth / 8) {
            word = word << 8 | Self(truncatingIfNeeded: bytes[index + offset])
        }
        self = word
    }

    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
    }
}

extension UInt32 {
    @inline(__always)
    func rotatedLeft(_ count: UInt32) -> UInt32 {
        self &<< count | self &>> (32 &- count)
    }

    @inline(__always)
    func rotatedRight(_ count: UInt32) -> UInt32 {
        self &>> count | self &<< (32 &- count)
    }
}

extension UInt64 {
    @inline(__always)
    func rotatedRight(_ count: UInt64) -> UInt64 {
        self &>> count | self &<< (64 &- count)
    }
}
