/// Multiplication of points by interleaving (Guide to Elliptic Curve Cryptography, algorithm 3.51): numbers are in
/// non-adjacent form, the doublings are shared, and each nonzero digit adds one odd multiple from a table.
extension JacobianPoint {
    /// The width of digits for the base point, which has a table of 32 odd multiples, created once.
    private static var baseWidth: Int { 7 }
    /// The width of digits for other points, which have a table of eight multiples, created each time.
    private static var pointWidth: Int { 5 }

    /// Returns first · base point + second · point.
    package static func combination(
        _ first: Curve.Field.Limbs, _ second: Curve.Field.Limbs, of point: AffinePoint<Curve>
    ) -> JacobianPoint {
        withOddMultiples(of: point) { multiples in
            withForm(first, width: baseWidth) { baseForm in
                withForm(second, width: pointWidth) { pointForm in
                    let baseMultiples = Curve.oddMultiplesOfBasePoint
                    var sum = infinity
                    var position = NonAdjacentForm.capacity(bitWidth: Curve.Field.Limbs.bitWidth)
                    while position > 0 {
                        position -= 1
                        sum = sum.doubled()
                        // The digit 2 · i + 1 selects the multiple at i, and the negative digit selects the negated
                        // multiple.
                        let digit = pointForm[position]
                        if digit > 0 { sum = sum + multiples[digit >> 1] }
                        if digit < 0 { sum = sum + multiples[-digit >> 1].negated }
                        let baseDigit = baseForm[position]
                        if baseDigit > 0 { sum = sum + baseMultiples[baseDigit >> 1] }
                        if baseDigit < 0 { sum = sum + baseMultiples[-baseDigit >> 1].negated }
                    }
                    return sum
                }
            }
        }
    }

    /// Returns number · base point.
    package static func baseMultiple(_ number: Curve.Field.Limbs) -> JacobianPoint {
        combination(number, Curve.Field.Limbs.zero, of: Curve.basePoint)
    }

    /// Calls a closure with the digits of a number in temporary memory.
    private static func withForm<Result>(_ number: Curve.Field.Limbs, width: Int, _ body: (NonAdjacentForm) -> Result)
        -> Result
    {
        let capacity = NonAdjacentForm.capacity(bitWidth: Curve.Field.Limbs.bitWidth)
        return withUnsafeTemporaryAllocation(of: Int8.self, capacity: capacity) { memory in
            body(NonAdjacentForm(number, width: width, in: memory))
        }
    }

    /// Calls a closure with the multiples 1, 3, … 15 of a point in temporary memory.
    private static func withOddMultiples<Result>(
        of point: AffinePoint<Curve>, _ body: (UnsafeMutableBufferPointer<JacobianPoint>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: JacobianPoint.self, capacity: 1 << (pointWidth - 2)) { multiples in
            multiples.initialize(repeating: JacobianPoint(point))
            let double = multiples[0].doubled()
            var index = 1
            while index < multiples.count {
                multiples[index] = multiples[index - 1] + double
                index += 1
            }
            return body(multiples)
        }
    }

    /// Returns the table of the base point with z = 1, because adding such points is faster.
    static func tableOfBasePoint() -> [AffinePoint<Curve>] {
        var multiples = [JacobianPoint(Curve.basePoint)]
        let double = multiples[0].doubled()
        // One inversion for all points: invert the product of all z, and derive each inverse from that (Guide,
        // algorithm 2.26).
        var products = [multiples[0].z]
        while multiples.count < 1 << (baseWidth - 2) {
            let next = multiples[multiples.count - 1] + double
            products.append(products[products.count - 1] * next.z)
            multiples.append(next)
        }
        var inverse = products[products.count - 1].inverse()
        var table: [AffinePoint<Curve>] = []
        while let multiple = multiples.popLast() {
            products.removeLast()
            table.append(multiple.affine(inverseOfZ: products.last.map { inverse * $0 } ?? inverse))
            inverse = inverse * multiple.z
        }
        return table.reversed()
    }
}
