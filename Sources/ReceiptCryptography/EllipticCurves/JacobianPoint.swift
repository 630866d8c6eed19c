/// A point as (x/z², y/z³), or the point at infinity if z is zero. Adding and doubling in this form don't need
/// divisions.
///
/// The formulas are those of the Guide to Elliptic Curve Cryptography (Hankerson, Menezes, Vanstone, 2004), section
/// 3.2.2, for a = -3. The formulas don't hold for two equal or opposite points and for infinity. A signer can provoke
/// each of these cases, so each is handled separately.
package struct JacobianPoint<Curve: PrimeCurve>: Sendable {
    package typealias Coordinate = Residue<Curve.Field>

    private(set) var x: Coordinate
    private(set) var y: Coordinate
    private(set) var z: Coordinate

    private init(x: Coordinate, y: Coordinate, z: Coordinate) {
        self.x = x
        self.y = y
        self.z = z
    }

    package init(_ point: AffinePoint<Curve>) {
        self.init(x: point.x, y: point.y, z: Coordinate.one)
    }

    package static var infinity: JacobianPoint {
        JacobianPoint(x: Coordinate.one, y: Coordinate.one, z: Coordinate.zero)
    }

    package var isInfinite: Bool { z.isZero }

    /// Returns twice the point. No point of an odd order has y = 0, and twice infinity is infinity.
    package func doubled() -> JacobianPoint {
        let zz = z * z
        let yy = y * y
        let xyy = x * yy
        let product = (x - zz) * (x + zz)
        let slope = product + product + product
        let twice = xyy + xyy
        let fourfold = twice + twice
        let newX = slope * slope - (fourfold + fourfold)
        let yyyy = (yy + yy) * (yy + yy)
        let yz = y * z
        return JacobianPoint(x: newX, y: slope * (fourfold - newX) - (yyyy + yyyy), z: yz + yz)
    }

    /// Returns the sum of any two points.
    package static func + (left: JacobianPoint, right: JacobianPoint) -> JacobianPoint {
        if left.isInfinite { return right }
        if right.isInfinite { return left }
        let leftZZ = left.z * left.z
        let rightZZ = right.z * right.z
        let leftX = left.x * rightZZ
        let leftY = left.y * (rightZZ * right.z)
        let width = right.x * leftZZ - leftX
        let height = right.y * (leftZZ * left.z) - leftY
        if width.isZero { return height.isZero ? left.doubled() : JacobianPoint.infinity }
        let square = width * width
        let cube = square * width
        let middle = leftX * square
        let newX = height * height - cube - (middle + middle)
        return JacobianPoint(x: newX, y: height * (middle - newX) - leftY * cube, z: left.z * right.z * width)
    }

    /// The affine coordinates; `nil` at infinity.
    package var affine: AffinePoint<Curve>? {
        guard !isInfinite else { return nil }
        let inverse = z.inverse()
        let square = inverse * inverse
        return AffinePoint(x: x * square, y: y * (square * inverse))
    }

    /// Returns whether the first coordinate modulo the base point's order is `number`, without a division by z².
    package func hasFirstCoordinate(_ number: UInt384) -> Bool {
        guard !isInfinite else { return false }
        let zz = z * z
        if Coordinate(number) * zz == x { return true }
        // The order is slightly below the prime, so a second coordinate may have the same residue.
        guard number < Curve.Field.prime &- Curve.Order.prime else { return false }
        return Coordinate(number &+ Curve.Order.prime) * zz == x
    }
}
