/// A hash function of FIPS 180-4 with incremental input: divides the input into blocks and pads the last block (section
/// 5.1).
///
/// Whole blocks are read in place. Only the remaining bytes are copied to a buffer in this value.
package struct BlockHash<Compression: CompressionFunction>: Sendable {
    private var compression = Compression()
    private var pending = BlockBuffer()
    private var pendingCount = 0
    private var byteCount: UInt64 = 0

    /// Creates a hash function without input.
    package init() {}

    /// The number of bytes of a digest.
    package static var digestSize: Int { Compression.digestSize }

    /// Returns the digest of `bytes`.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var function = Self()
        function.update(bytes)
        return function.digest()
    }

    /// Returns the digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        hash(bytes[...])
    }

    /// Adds bytes to the input.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes to the input.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard var next = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        byteCount &+= UInt64(truncatingIfNeeded: bytes.count)
        var rest = bytes.count
        if pendingCount > 0 {
            let missing = min(Compression.blockSize - pendingCount, rest)
            pending.write(next, count: missing, at: pendingCount)
            pendingCount += missing
            next += missing
            rest -= missing
            guard pendingCount == Compression.blockSize else { return }
            compression.compress(pending)
            pendingCount = 0
        }
        while rest >= Compression.blockSize {
            compression.compress(next)
            next += Compression.blockSize
            rest -= Compression.blockSize
        }
        pending.write(next, count: rest, at: 0)
        pendingCount = rest
    }

    /// Returns the digest of the input so far: the state after the pending bytes, a one bit, zeros, and the length in
    /// bits at the end of a block. You can add more input afterwards.
    package func digest() -> [UInt8] {
        var (state, block) = (compression, pending)
        block.clear(from: pendingCount)
        block.write(0x80, at: pendingCount)
        if pendingCount + 1 + Compression.lengthSize > Compression.blockSize {
            state.compress(block)
            block.clear(from: 0)
        }
        var bitCount = byteCount &* 8
        var index = Compression.blockSize
        while bitCount != 0 {
            index -= 1
            block.write(UInt8(truncatingIfNeeded: bitCount), at: index)
            bitCount &>>= 8
        }
        state.compress(block)
        return Array(state.bytes.prefix(Compression.digestSize))
    }
}

extension CompressionFunction {
    fileprivate mutating func compress(_ buffer: BlockBuffer) {
        withUnsafeBytes(of: buffer) { bytes in
            guard let block = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            compress(block)
        }
    }
}

/// Storage for the longest block, 128 bytes.
private struct BlockBuffer: Sendable {
    private typealias Quarter = (UInt64, UInt64, UInt64, UInt64)
    private var storage: (Quarter, Quarter, Quarter, Quarter) = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))

    mutating func write(_ bytes: UnsafePointer<UInt8>, count: Int, at index: Int) {
        withUnsafeMutableBytes(of: &storage) { storage in
            guard let start = storage.baseAddress else { return }
            (start + index).copyMemory(from: bytes, byteCount: count)
        }
    }

    mutating func write(_ byte: UInt8, at index: Int) {
        withUnsafeMutableBytes(of: &storage) { $0[index] = byte }
    }

    mutating func clear(from index: Int) {
        withUnsafeMutableBytes(of: &storage) { storage in
            guard let start = storage.baseAddress else { return }
            (start + index).initializeMemory(as: UInt8.self, repeating: 0, count: storage.count - index)
        }
    }
}

/// SHA-1 (FIPS 180-4).
///
/// SHA-1 isn't collision-resistant. The device hash of receipts and the signatures of older receipts require it.
package typealias SHA1 = BlockHash<SHA1Compression>

/// SHA-256 (FIPS 180-4).
package typealias SHA256 = BlockHash<SHA256Compression>

/// SHA-384 (FIPS 180-4): SHA-512 with another initial value and a shorter digest.
package typealias SHA384 = BlockHash<SHA384Compression>
