/// A point in projective coordinates: (x/z, y/z), or the point at infinity where z is zero. Coordinates are in Montgomery's representation.
package struct EllipticCurvePoint: Sendable {
    package var x: LimbInteger
    package var y: LimbInteger
    package var z: LimbInteger
}

extension EllipticCurve {
    var infinity: EllipticCurvePoint {
        let zero = LimbInteger(limbs: Array(repeating: 0, count: field.limbCount))
        return EllipticCurvePoint(x: zero, y: field.one, z: zero)
    }

    /// Reads a point in the uncompressed form of SEC 1, 2.3.4: 04, x, y.
    ///
    /// `nil` for any other form, the point at infinity among them, for a coordinate that is not below the prime, and for a point that is not on the curve.
    package func point(uncompressed bytes: ArraySlice<UInt8>) -> EllipticCurvePoint? {
        guard bytes.count == 1 + 2 * byteCount, bytes.first == 0x04 else { return nil }
        let coordinates = bytes.dropFirst()
        guard let x = LimbInteger(bigEndian: coordinates.prefix(byteCount), limbCount: field.limbCount), x < field.modulus,
            let y = LimbInteger(bigEndian: coordinates.dropFirst(byteCount), limbCount: field.limbCount), y < field.modulus
        else { return nil }
        let point = EllipticCurvePoint(x: field.represent(x), y: field.represent(y), z: field.one)
        let square = field.multiply(point.x, point.x)
        let threeX = field.add(field.add(point.x, point.x), point.x)
        let right = field.add(field.subtract(field.multiply(square, point.x), threeX), b)
        return field.multiply(point.y, point.y) == right ? point : nil
    }

    /// The sum of any two points, equal, opposite or infinite ones included.
    ///
    /// These are the complete formulas of Renes, Costello and Batina (EUROCRYPT 2016) for a = -3, which know no exceptions on a curve of
    /// odd order: the reason to prefer them here, where every exception would be a branch to get wrong.
    func add(_ left: EllipticCurvePoint, _ right: EllipticCurvePoint) -> EllipticCurvePoint {
        // (a₁ + b₁)(a₂ + b₂) - (a₁a₂ + b₁b₂) is a₁b₂ + a₂b₁ for the price of one multiplication.
        func cross(_ sums: (LimbInteger, LimbInteger), _ products: (LimbInteger, LimbInteger)) -> LimbInteger {
            field.subtract(field.multiply(sums.0, sums.1), field.add(products.0, products.1))
        }
        func triple(_ a: LimbInteger) -> LimbInteger { field.add(field.add(a, a), a) }

        let xx = field.multiply(left.x, right.x)
        let yy = field.multiply(left.y, right.y)
        let zz = field.multiply(left.z, right.z)
        let xy = cross((field.add(left.x, left.y), field.add(right.x, right.y)), (xx, yy))
        let yz = cross((field.add(left.y, left.z), field.add(right.y, right.z)), (yy, zz))
        let xz = cross((field.add(left.x, left.z), field.add(right.x, right.z)), (xx, zz))

        let shift = triple(field.subtract(xz, field.multiply(b, zz)))
        let plus = field.add(yy, shift)
        let minus = field.subtract(yy, shift)
        let threeZZ = triple(zz)
        let slope = triple(field.subtract(field.subtract(field.multiply(b, xz), threeZZ), xx))
        let tangent = field.subtract(triple(xx), threeZZ)
        return EllipticCurvePoint(
            x: field.subtract(field.multiply(xy, plus), field.multiply(yz, slope)),
            y: field.add(field.multiply(plus, minus), field.multiply(tangent, slope)),
            z: field.add(field.multiply(yz, minus), field.multiply(xy, tangent)))
    }

    /// first · point + second · other, both in one run over the bits.
    package func combine(
        _ first: LimbInteger, _ point: EllipticCurvePoint, _ second: LimbInteger, _ other: EllipticCurvePoint
    ) -> EllipticCurvePoint {
        let both = add(point, other)
        var sum = infinity
        for bit in (0..<max(first.bitWidth, second.bitWidth)).reversed() {
            sum = add(sum, sum)
            switch (first.bit(bit), second.bit(bit)) {
            case (true, true): sum = add(sum, both)
            case (true, false): sum = add(sum, point)
            case (false, true): sum = add(sum, other)
            case (false, false): break
            }
        }
        return sum
    }
}
