/// SHA-1 as FIPS 180-4 defines it.
///
/// Collisions can be made for it. It is here because the device hash of a receipt and the signatures of older receipts are made with it.
package struct SHA1: HashFunction {
    package static let digestSize = 20

    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    private var schedule = [UInt32](repeating: 0, count: 80)
    private var blocks = BlockBuffer(blockSize: 64)

    package init() {}

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        for block in blocks.append(bytes) {
            compress(block)
        }
    }

    package func digest() -> [UInt8] {
        var copy = self
        for block in copy.blocks.padding(lengthSize: 8) {
            copy.compress(block)
        }
        return copy.state.flatMap(\.bigEndianBytes)
    }

    /// FIPS 180-4, 6.1.2.
    private mutating func compress(_ block: ArraySlice<UInt8>) {
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block, at: block.startIndex + index * 4)
        }
        for index in 16..<80 {
            schedule[index] = (schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]).rotatedLeft(1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let mixed: UInt32
            let constant: UInt32
            switch index {
            case 0..<20: (mixed, constant) = ((b & c) ^ (~b & d), 0x5A82_7999)
            case 20..<40: (mixed, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case 40..<60: (mixed, constant) = ((b & c) ^ (b & d) ^ (c & d), 0x8F1B_BCDC)
            default: (mixed, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = a.rotatedLeft(5) &+ mixed &+ e &+ constant &+ schedule[index]
            (a, b, c, d, e) = (next, a, b.rotatedLeft(30), c, d)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }
}
