/// A curve y² = x³ - 3x + b over a prime field, with a base point of prime order (SP 800-186, section 3.2.1).
package protocol PrimeCurve: Sendable {
    /// The field of the coordinates.
    associatedtype Field: PrimeModulus
    /// The numbers modulo the base point's order.
    associatedtype Order: PrimeModulus

    /// The constant term b.
    static var b: Residue<Field> { get }

    /// The base point.
    static var basePoint: AffinePoint<Self> { get }

    /// The multiples 0 to 15 of the base point, created once.
    static var multiplesOfBasePoint: [JacobianPoint<Self>] { get }
}

/// P-256, also called secp256r1 and prime256v1 (SP 800-186, 3.2.1.3).
package enum P256: PrimeCurve {
    package enum Field: PrimeModulus {
        package static var byteCount: Int { 32 }
        package static var prime: UInt384 {
            UInt384(0, 0, 0xFFFF_FFFF_0000_0001, 0x0000_0000_0000_0000, 0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF)
        }
        package static var negatedInverse: UInt64 { 1 }
        package static var radixSquared: UInt384 {
            UInt384(
                0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x0000_0018_0000_0001,
                0x0000_0005_FFFF_FFFC, 0xFFFF_FFED_FFFF_FFF7, 0xFFFF_FFFD_0000_000A)
        }
    }

    package enum Order: PrimeModulus {
        package static var byteCount: Int { 32 }
        package static var prime: UInt384 {
            UInt384(0, 0, 0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551)
        }
        package static var negatedInverse: UInt64 { 0xCCD1_C8AA_EE00_BC4F }
        package static var radixSquared: UInt384 {
            UInt384(
                0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x503A_54E7_6407_BE65,
                0x2543_B924_6BA5_E93F, 0x111F_28AE_0C05_55C9, 0xAC8E_BEC9_0B65_A624)
        }
    }

    package static let b = Residue<Field>(
        UInt384(0, 0, 0x5AC6_35D8_AA3A_93E7, 0xB3EB_BD55_7698_86BC, 0x651D_06B0_CC53_B0F6, 0x3BCE_3C3E_27D2_604B))

    package static let basePoint = AffinePoint<P256>(
        x: Residue(
            UInt384(0, 0, 0x6B17_D1F2_E12C_4247, 0xF8BC_E6E5_63A4_40F2, 0x7703_7D81_2DEB_33A0, 0xF4A1_3945_D898_C296)),
        y: Residue(
            UInt384(0, 0, 0x4FE3_42E2_FE1A_7F9B, 0x8EE7_EB4A_7C0F_9E16, 0x2BCE_3357_6B31_5ECE, 0xCBB6_4068_37BF_51F5)))

    package static let multiplesOfBasePoint = JacobianPoint<P256>.multiples(of: basePoint)
}

/// P-384, also called secp384r1 (SP 800-186, 3.2.1.4).
package enum P384: PrimeCurve {
    package enum Field: PrimeModulus {
        package static var byteCount: Int { 48 }
        package static var prime: UInt384 {
            UInt384(
                0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
                0xFFFF_FFFF_FFFF_FFFE, 0xFFFF_FFFF_0000_0000, 0x0000_0000_FFFF_FFFF)
        }
        package static var negatedInverse: UInt64 { 0x0000_0001_0000_0001 }
        package static var radixSquared: UInt384 {
            UInt384(
                0x0000_0000_0000_0000, 0x0000_0000_0000_0001, 0x0000_0002_0000_0000,
                0xFFFF_FFFE_0000_0000, 0x0000_0002_0000_0000, 0xFFFF_FFFE_0000_0001)
        }
    }

    package enum Order: PrimeModulus {
        package static var byteCount: Int { 48 }
        package static var prime: UInt384 {
            UInt384(
                0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
                0xC763_4D81_F437_2DDF, 0x581A_0DB2_48B0_A77A, 0xECEC_196A_CCC5_2973)
        }
        package static var negatedInverse: UInt64 { 0x6ED4_6089_E88F_DC45 }
        package static var radixSquared: UInt384 {
            UInt384(
                0x0C84_EE01_2B39_BF21, 0x3FB0_5B7A_2826_6895, 0xD40D_4917_4AAB_1CC5,
                0xBC3E_483A_FCB8_2947, 0xFF3D_81E5_DF1A_A419, 0x2D31_9B24_19B4_09A9)
        }
    }

    package static let b = Residue<Field>(
        UInt384(
            0xB331_2FA7_E23E_E7E4, 0x988E_056B_E3F8_2D19, 0x181D_9C6E_FE81_4112,
            0x0314_088F_5013_875A, 0xC656_398D_8A2E_D19D, 0x2A85_C8ED_D3EC_2AEF))

    package static let basePoint = AffinePoint<P384>(
        x: Residue(
            UInt384(
                0xAA87_CA22_BE8B_0537, 0x8EB1_C71E_F320_AD74, 0x6E1D_3B62_8BA7_9B98,
                0x59F7_41E0_8254_2A38, 0x5502_F25D_BF55_296C, 0x3A54_5E38_7276_0AB7)),
        y: Residue(
            UInt384(
                0x3617_DE4A_9626_2C6F, 0x5D9E_98BF_9292_DC29, 0xF8F4_1DBD_289A_147C,
                0xE9DA_3113_B5F0_B8C0, 0x0A60_B1CE_1D7E_819D, 0x7A43_1D7C_90EA_0E5F)))

    package static let multiplesOfBasePoint = JacobianPoint<P384>.multiples(of: basePoint)
}
