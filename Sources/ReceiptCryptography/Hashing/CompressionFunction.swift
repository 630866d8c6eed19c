// The three compression functions and their shared operations are in one file, for fast hashing in debug builds: these
// builds inline only transparent functions, as the operators of the standard library are, and no functions of other
// files.

/// The compression function of a hash function, which processes one block after another.
package protocol CompressionFunction: Sendable {
    /// The number of bytes of a digest, at most the number of bytes of the state.
    static var digestSize: Int { get }

    /// The number of bytes of a block.
    static var blockSize: Int { get }

    /// The number of bytes of the message length at the end of the last block.
    static var lengthSize: Int { get }

    /// Creates the function with its initial value.
    init()

    /// Processes one block.
    mutating func compress(_ block: UnsafePointer<UInt8>)

    /// The state, big-endian.
    var bytes: [UInt8] { get }
}

/// The compression function of SHA-1 (FIPS 180-4, 6.1.2).
package struct SHA1Compression: CompressionFunction {
    package static var digestSize: Int { 20 }
    package static var blockSize: Int { 64 }
    package static var lengthSize: Int { 8 }

    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )

    package init() {}

    package var bytes: [UInt8] {
        let (a, b, c, d, e) = state
        return withUnsafeBytes(of: (a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian)) { Array($0) }
    }

    package mutating func compress(_ block: UnsafePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            guard let words = words.baseAddress else { return }
            words.readWords(block)
            var index = 16
            while index < 80 {
                words[index] = (words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16])
                    .rotatedRight(31)
                index += 1
            }
            var (a, b, c, d, e) = state
            index = 0
            while index < 80 {
                let mixed: UInt32 =
                    switch index {
                    case ..<20: (d ^ (b & (c ^ d))) &+ 0x5A82_7999
                    case ..<40: (b ^ c ^ d) &+ 0x6ED9_EBA1
                    case ..<60: ((b & c) | (d & (b | c))) &+ 0x8F1B_BCDC
                    default: (b ^ c ^ d) &+ 0xCA62_C1D6
                    }
                let next = a.rotatedRight(27) &+ mixed &+ e &+ words[index]
                (a, b, c, d, e) = (next, a, b.rotatedRight(2), c, d)
                index += 1
            }
            state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
        }
    }
}

/// The compression function of SHA-256 (FIPS 180-4, 6.2.2), which starts with the bits of 5.3.3.
package struct SHA256Compression: CompressionFunction {
    package static var digestSize: Int { 32 }
    package static var blockSize: Int { 64 }
    package static var lengthSize: Int { 8 }

    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19
    )

    package init() {}

    package var bytes: [UInt8] {
        let (a, b, c, d, e, f, g, h) = state
        let words = (
            a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian, f.bigEndian, g.bigEndian, h.bigEndian
        )
        return withUnsafeBytes(of: words) { Array($0) }
    }

    /// Processes one block. To save operations, the rotations of FIPS 180-4, section 4.1.2 are nested. The results are
    /// the same.
    package mutating func compress(_ block: UnsafePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            guard let words = words.baseAddress else { return }
            let constants = SHA256Compression.constants
            words.readWords(block)
            var index = 16
            while index < 64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let sigma0 = (early.rotatedRight(11) ^ early).rotatedRight(7) ^ early &>> 3
                let sigma1 = (late.rotatedRight(2) ^ late).rotatedRight(17) ^ late &>> 10
                words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
                index += 1
            }
            var (a, b, c, d, e, f, g, h) = state
            index = 0
            while index < 64 {
                let sum1 = ((e.rotatedRight(14) ^ e).rotatedRight(5) ^ e).rotatedRight(6)
                let first = h &+ sum1 &+ (g ^ (e & (f ^ g))) &+ constants[index] &+ words[index]
                let sum0 = ((a.rotatedRight(9) ^ a).rotatedRight(11) ^ a).rotatedRight(2)
                let next = first &+ sum0 &+ ((a & b) | (c & (a | b)))
                (a, b, c, d, e, f, g, h) = (next, a, b, c, d &+ first, e, f, g)
                index += 1
            }
            state = (
                state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g,
                state.7 &+ h
            )
        }
    }

    /// FIPS 180-4, 4.2.2: the first bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants = SHA384Compression.constants.prefix(64).map { UInt32(truncatingIfNeeded: $0 &>> 32) }
}

/// The compression function of SHA-384: that of SHA-512 (FIPS 180-4, 6.4.2), which starts with the bits of 5.3.4.
package struct SHA384Compression: CompressionFunction {
    package static var digestSize: Int { 48 }
    package static var blockSize: Int { 128 }
    package static var lengthSize: Int { 16 }

    private var state: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0xCBBB_9D5D_C105_9ED8, 0x629A_292A_367C_D507, 0x9159_015A_3070_DD17, 0x152F_ECD8_F70E_5939,
        0x6733_2667_FFC0_0B31, 0x8EB4_4A87_6858_1511, 0xDB0C_2E0D_64F9_8FA7, 0x47B5_481D_BEFA_4FA4
    )

    package init() {}

    package var bytes: [UInt8] {
        let (a, b, c, d, e, f, g, h) = state
        let words = (
            a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian, f.bigEndian, g.bigEndian, h.bigEndian
        )
        return withUnsafeBytes(of: words) { Array($0) }
    }

    /// Processes one block. To save operations, the rotations of FIPS 180-4, section 4.1.3 are nested. The results are
    /// the same.
    package mutating func compress(_ block: UnsafePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 80) { words in
            guard let words = words.baseAddress else { return }
            let constants = SHA384Compression.constants
            words.readWords(block)
            var index = 16
            while index < 80 {
                let (early, late) = (words[index - 15], words[index - 2])
                let sigma0 = (early.rotatedRight(7) ^ early).rotatedRight(1) ^ early &>> 7
                let sigma1 = (late.rotatedRight(42) ^ late).rotatedRight(19) ^ late &>> 6
                words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
                index += 1
            }
            var (a, b, c, d, e, f, g, h) = state
            index = 0
            while index < 80 {
                let sum1 = ((e.rotatedRight(23) ^ e).rotatedRight(4) ^ e).rotatedRight(14)
                let first = h &+ sum1 &+ (g ^ (e & (f ^ g))) &+ constants[index] &+ words[index]
                let sum0 = ((a.rotatedRight(5) ^ a).rotatedRight(6) ^ a).rotatedRight(28)
                let next = first &+ sum0 &+ ((a & b) | (c & (a | b)))
                (a, b, c, d, e, f, g, h) = (next, a, b, c, d &+ first, e, f, g)
                index += 1
            }
            state = (
                state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g,
                state.7 &+ h
            )
        }
    }

    /// FIPS 180-4, 4.2.3: the first bits of the fractional parts of the cube roots of the first 80 primes.
    fileprivate static let constants: [UInt64] = [
        0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
        0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
        0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
        0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
        0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
        0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
        0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
        0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
        0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
        0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
        0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
        0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
        0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
        0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
        0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
        0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
        0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
        0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
        0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
        0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
    ]
}

extension UnsafeMutablePointer<UInt32> {
    /// Reads the sixteen words of a block.
    fileprivate func readWords(_ block: UnsafePointer<UInt8>) {
        var index = 0
        while index < 16 {
            self[index] = UInt32(bigEndianAt: block + index * 4)
            index += 1
        }
    }
}

extension UnsafeMutablePointer<UInt64> {
    /// Reads the sixteen words of a block.
    fileprivate func readWords(_ block: UnsafePointer<UInt8>) {
        var index = 0
        while index < 16 {
            self[index] = UInt64(bigEndianAt: block + index * 8)
            index += 1
        }
    }
}

extension UInt32 {
    /// Reads the four bytes that start at `bytes`, the most significant one first.
    @_transparent
    fileprivate init(bigEndianAt bytes: UnsafePointer<UInt8>) {
        self =
            UInt32(truncatingIfNeeded: bytes[0]) &<< 24 | UInt32(truncatingIfNeeded: bytes[1]) &<< 16
            | UInt32(truncatingIfNeeded: bytes[2]) &<< 8 | UInt32(truncatingIfNeeded: bytes[3])
    }

    @_transparent
    fileprivate func rotatedRight(_ count: UInt32) -> UInt32 {
        self &>> count | self &<< (32 &- count)
    }
}

extension UInt64 {
    /// Reads the eight bytes that start at `bytes`, the most significant one first.
    @_transparent
    fileprivate init(bigEndianAt bytes: UnsafePointer<UInt8>) {
        self =
            UInt64(truncatingIfNeeded: UInt32(bigEndianAt: bytes)) &<< 32
            | UInt64(truncatingIfNeeded: UInt32(bigEndianAt: bytes + 4))
    }

    @_transparent
    fileprivate func rotatedRight(_ count: UInt64) -> UInt64 {
        self &>> count | self &<< (64 &- count)
    }
}
