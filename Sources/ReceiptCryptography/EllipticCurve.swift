/// A curve y² = x³ - 3x + b over a prime field, with a base point of prime order (FIPS 186-4, appendix D.1.2).
package struct EllipticCurve: Sendable {
    package let field: MontgomeryModulus
    package let scalars: MontgomeryModulus
    let b: LimbInteger
    package let basePoint: EllipticCurvePoint
    /// The number of bytes of a coordinate and of a scalar.
    package let byteCount: Int

    private init?(prime: [UInt64], order: [UInt64], b: [UInt64], x: [UInt64], y: [UInt64]) {
        func number(_ limbs: [UInt64]) -> LimbInteger { LimbInteger(limbs: limbs.reversed()) }
        guard let field = MontgomeryModulus(number(prime)), let scalars = MontgomeryModulus(number(order)) else { return nil }
        self.field = field
        self.scalars = scalars
        self.b = field.represent(number(b))
        basePoint = EllipticCurvePoint(x: field.represent(number(x)), y: field.represent(number(y)), z: field.one)
        byteCount = prime.count * 8
    }

    /// P-256, also called secp256r1 and prime256v1; numbers from the most significant limb on.
    package static let p256 = EllipticCurve(
        prime: [
            0xFFFF_FFFF_0000_0001, 0x0000_0000_0000_0000, 0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
        ],
        order: [
            0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551,
        ],
        b: [
            0x5AC6_35D8_AA3A_93E7, 0xB3EB_BD55_7698_86BC, 0x651D_06B0_CC53_B0F6, 0x3BCE_3C3E_27D2_604B,
        ],
        x: [
            0x6B17_D1F2_E12C_4247, 0xF8BC_E6E5_63A4_40F2, 0x7703_7D81_2DEB_33A0, 0xF4A1_3945_D898_C296,
        ],
        y: [
            0x4FE3_42E2_FE1A_7F9B, 0x8EE7_EB4A_7C0F_9E16, 0x2BCE_3357_6B31_5ECE, 0xCBB6_4068_37BF_51F5,
        ]
    )

    /// P-384, also called secp384r1.
    package static let p384 = EllipticCurve(
        prime: [
            0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFE,
            0xFFFF_FFFF_0000_0000, 0x0000_0000_FFFF_FFFF,
        ],
        order: [
            0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xC763_4D81_F437_2DDF,
            0x581A_0DB2_48B0_A77A, 0xECEC_196A_CCC5_2973,
        ],
        b: [
            0xB331_2FA7_E23E_E7E4, 0x988E_056B_E3F8_2D19, 0x181D_9C6E_FE81_4112, 0x0314_088F_5013_875A,
            0xC656_398D_8A2E_D19D, 0x2A85_C8ED_D3EC_2AEF,
        ],
        x: [
            0xAA87_CA22_BE8B_0537, 0x8EB1_C71E_F320_AD74, 0x6E1D_3B62_8BA7_9B98, 0x59F7_41E0_8254_2A38,
            0x5502_F25D_BF55_296C, 0x3A54_5E38_7276_0AB7,
        ],
        y: [
            0x3617_DE4A_9626_2C6F, 0x5D9E_98BF_9292_DC29, 0xF8F4_1DBD_289A_147C, 0xE9DA_3113_B5F0_B8C0,
            0x0A60_B1CE_1D7E_819D, 0x7A43_1D7C_90EA_0E5F,
        ]
    )
}
