/// A prime that arithmetic is done modulo, in Montgomery's representation: x stands as x · R with R = 2^(64 · limbs).
///
/// A prime is a type, so that the compiler knows its limbs when it specializes ``Residue``. All of them are above R / 2, as those of P-256
/// and P-384 are.
package protocol PrimeModulus: Sendable {
    associatedtype Limbs: FixedLimbs

    /// The prime itself.
    static var prime: Limbs { get }

    /// -prime⁻¹ mod 2^64.
    static var negatedInverse: UInt64 { get }

    /// R² mod prime: the factor that brings a number into the representation.
    static var radixSquared: Limbs { get }
}
