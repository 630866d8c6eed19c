/// The memory for multiplications modulo one modulus, allocated once for an exponentiation.
///
/// The full product is computed row by row and then reduced limb by limb ("separated operand scanning" in Koç, Acar and
/// Kaliski, IEEE Micro 16, 1996).
struct MontgomeryWorkspace {
    private let limbCount: Int
    private let negatedInverse: UInt64
    private let modulus: UnsafeMutablePointer<UInt64>
    /// The product, with twice the length of a number.
    private let product: UnsafeMutablePointer<UInt64>
    private let numbers: UnsafeMutablePointer<UInt64>

    /// Calls a closure with memory for `numbers` numbers, all zero, for a modulus with its -modulus⁻¹ mod 2^64.
    static func with<Result>(
        _ modulus: LimbInteger, negatedInverse: UInt64, numbers: Int, _ body: (MontgomeryWorkspace) -> Result
    ) -> Result {
        let limbCount = modulus.limbs.count
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: (3 + numbers) * limbCount)
        memory.initialize(repeating: 0, count: (3 + numbers) * limbCount)
        defer { memory.deallocate() }
        let workspace = MontgomeryWorkspace(
            limbCount: limbCount, negatedInverse: negatedInverse, modulus: memory, product: memory + limbCount,
            numbers: memory + 3 * limbCount)
        workspace.load(modulus, into: memory)
        return body(workspace)
    }

    private func pointer(_ index: Int) -> UnsafeMutablePointer<UInt64> { numbers + index * limbCount }

    private func load(_ number: LimbInteger, into target: UnsafeMutablePointer<UInt64>) {
        var index = 0
        while index < limbCount {
            target[index] = index < number.limbs.count ? number.limbs[index] : 0
            index += 1
        }
    }

    /// Writes a number to a place, without the limbs beyond those of the modulus.
    func load(_ number: LimbInteger, at index: Int) {
        load(number, into: pointer(index))
    }

    /// Returns the number at a place.
    func number(at index: Int) -> LimbInteger {
        LimbInteger(limbs: Array(UnsafeBufferPointer(start: pointer(index), count: limbCount)))
    }

    func copy(_ source: Int, to target: Int) {
        pointer(target).update(from: pointer(source), count: limbCount)
    }

    /// Replaces the number at a place with its product with another number, divided by R.
    func multiply(at index: Int, by other: Int) {
        let (left, right) = (pointer(index), pointer(other))
        product.update(repeating: 0, count: limbCount)
        var row = 0
        while row < limbCount {
            product[row + limbCount] = (product + row).addRow(left, count: limbCount, times: right[row])
            row += 1
        }
        reduceProduct(into: left)
    }

    /// Adds the multiple of the modulus that makes the low half of the product zero. The result is the high half, minus
    /// the modulus if the high half isn't below the modulus.
    private func reduceProduct(into target: UnsafeMutablePointer<UInt64>) {
        var carry: UInt64 = 0
        var row = 0
        while row < limbCount {
            let upper = (product + row).addRow(modulus, count: limbCount, times: product[row] &* negatedInverse)
            product[row + limbCount] = product[row + limbCount].adding(upper, carry: &carry)
            row += 1
        }
        target.update(from: product + limbCount, count: limbCount)
        reduceOnce(target, carry: carry)
    }

    /// Subtracts the modulus from a number with this carry beyond its highest limb, unless the number is below the
    /// modulus.
    private func reduceOnce(_ number: UnsafeMutablePointer<UInt64>, carry: UInt64) {
        if carry == 0 {
            var top = limbCount - 1
            while top > 0, number[top] == modulus[top] { top -= 1 }
            guard number[top] >= modulus[top] else { return }
        }
        var borrow: UInt64 = 0
        var limb = 0
        while limb < limbCount {
            number[limb] = number[limb].subtracting(modulus[limb], borrow: &borrow)
            limb += 1
        }
    }
}
