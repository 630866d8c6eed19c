/// A prime modulus for arithmetic in Montgomery's representation, which stores x as x · R with R = 2^(64 · limbs).
///
/// A prime is a type, so that the compiler knows its limbs when it specializes ``Residue``. All primes are above R / 2,
/// as those of P-256 and P-384 are.
package protocol PrimeModulus: Sendable {
    associatedtype Limbs: FixedLimbs

    /// The prime itself.
    static var prime: Limbs { get }

    /// -prime⁻¹ mod 2^64.
    static var negatedInverse: UInt64 { get }

    /// R² mod prime: the factor that converts a number to Montgomery's representation.
    static var radixSquared: Limbs { get }
}
