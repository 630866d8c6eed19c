/// Divides the input of a hash function into blocks and pads the last block (FIPS 180-4, section 5.1), for all hash
/// functions.
///
/// Whole blocks are read in place. Only the remaining bytes are copied to a buffer in this value.
struct BlockHash<Compression: CompressionFunction>: Sendable {
    private var compression: Compression
    private var pending = BlockBuffer()
    private var pendingCount = 0
    private var byteCount: UInt64 = 0

    /// Starts with the function's initial value.
    init(_ compression: Compression) {
        self.compression = compression
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
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
        let count = rest / Compression.blockSize
        if count > 0 {
            compression.compress(next, count: count)
            next += count * Compression.blockSize
            rest -= count * Compression.blockSize
        }
        pending.write(next, count: rest, at: 0)
        pendingCount = rest
    }

    /// Returns the digest: the state after the pending bytes, a one bit, zeros, and the length in bits at the end of a
    /// block.
    func digest() -> [UInt8] {
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
        return state.bytes
    }
}

extension CompressionFunction {
    fileprivate mutating func compress(_ buffer: BlockBuffer) {
        withUnsafeBytes(of: buffer) { bytes in
            guard let block = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            compress(block, count: 1)
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
