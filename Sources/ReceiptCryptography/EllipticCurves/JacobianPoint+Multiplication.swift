/// Multiplication of points with shared doublings (Handbook of Applied Cryptography, algorithm 14.88).
///
/// Each digit of four bits adds one multiple from a table.
extension JacobianPoint {
    /// Returns first · base point + second · point.
    package static func combination(
        _ first: UInt384, _ second: UInt384, of point: AffinePoint<Curve>
    ) -> JacobianPoint {
        let multiples = multiples(of: point)
        let baseMultiples = Curve.multiplesOfBasePoint
        var sum = infinity
        var position = 2 * Curve.Field.byteCount
        while position > 0 {
            position -= 1
            sum = sum.doubled().doubled().doubled().doubled()
            sum = sum + multiples[second.digit(at: position)] + baseMultiples[first.digit(at: position)]
        }
        return sum
    }

    /// Returns number · base point.
    package static func baseMultiple(_ number: UInt384) -> JacobianPoint {
        combination(number, UInt384.zero, of: Curve.basePoint)
    }

    /// Returns the multiples 0 to 15 of a point.
    static func multiples(of point: AffinePoint<Curve>) -> [JacobianPoint] {
        var multiples = [infinity, JacobianPoint(point)]
        while multiples.count < 16 {
            multiples.append(multiples[multiples.count - 1] + multiples[1])
        }
        return multiples
    }
}
