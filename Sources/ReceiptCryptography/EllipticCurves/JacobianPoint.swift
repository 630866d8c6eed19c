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

    var negated: JacobianPoint {
        JacobianPoint(x: x, y: Coordinate.zero - y, z: z)
    }

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
        return left.sum(x: leftX, y: leftY, z: left.z * right.z, width, height)
    }

    /// Returns the sum of any point and a finite point with z = 1.
    package static func + (left: JacobianPoint, right: AffinePoint<Curve>) -> JacobianPoint {
        if left.isInfinite { return JacobianPoint(right) }
        let leftZZ = left.z * left.z
        let width = right.x * leftZZ - left.x
        let height = right.y * (leftZZ * left.z) - left.y
        return left.sum(x: left.x, y: left.y, z: left.z, width, height)
    }

    /// Completes both additions, for x, y and z with a common denominator. Width and height are the differences of x
    /// and y.
    @inline(__always)
    private func sum(x: Coordinate, y: Coordinate, z: Coordinate, _ width: Coordinate, _ height: Coordinate)
        -> JacobianPoint
    {
        if width.isZero { return height.isZero ? doubled() : JacobianPoint.infinity }
        let square = width * width
        let cube = square * width
        let middle = x * square
        let newX = height * height - cube - (middle + middle)
        return JacobianPoint(x: newX, y: height * (middle - newX) - y * cube, z: z * width)
    }

    /// The affine coordinates; `nil` at infinity.
    package var affine: AffinePoint<Curve>? {
        guard !isInfinite else { return nil }
        return affine(inverseOfZ: z.inverse())
    }

    func affine(inverseOfZ inverse: Coordinate) -> AffinePoint<Curve> {
        let square = inverse * inverse
        return AffinePoint(x: x * square, y: y * (square * inverse))
    }

    /// Returns whether the first coordinate modulo the base point's order is `number`, without a division by z².
    package func hasFirstCoordinate(_ number: Curve.Field.Limbs) -> Bool {
        guard !isInfinite else { return false }
        let zz = z * z
        if Coordinate(number) * zz == x { return true }
        // The order is slightly below the prime, so a second coordinate may have the same residue.
        guard number < Curve.Field.prime &- Curve.Order.prime else { return false }
        return Coordinate(number &+ Curve.Order.prime) * zz == x
    }
}
