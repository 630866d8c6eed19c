/// A prime modulus for arithmetic in Montgomery's representation, which stores x as x · R with R = 2^384.
///
/// A prime is a type, so that the compiler knows its limbs when it specializes ``Residue``. All primes have whole
/// bytes, and begin with a one bit.
package protocol PrimeModulus: Sendable {
    /// The number of bytes of the prime.
    static var byteCount: Int { get }

    /// The prime itself.
    static var prime: UInt384 { get }

    /// -prime⁻¹ mod 2^64.
    static var negatedInverse: UInt64 { get }

    /// R² mod prime: the factor that converts a number to Montgomery's representation.
    static var radixSquared: UInt384 { get }
}
