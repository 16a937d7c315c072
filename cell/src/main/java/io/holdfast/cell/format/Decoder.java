package io.holdfast.cell.format;

import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.NodePath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Reads what {@link Encoder} wrote. Never reads beyond the end, never allocates more than the input's size for one field.
 *
 * <p><b>Thread:</b> one at a time. Every method throws {@link MalformedDataException} for bytes that cannot be.
 */
public final class Decoder {
    private final byte[] input;
    private int position;

    public Decoder(byte[] input) {
        this.input = input;
    }

    public long number() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = octet();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                require(shift < 63 || next <= 1, "a number of more than 64 bits");
                return value;
            }
        }
        throw malformed("a number of more than 64 bits");
    }

    public long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    public boolean flag() {
        int value = octet();
        require(value <= 1, "a flag that is neither 0 nor 1");
        return value == 1;
    }

    public int octet() {
        require(position < input.length, "the end in the middle of a field");
        return input[position++] & 0xff;
    }

    /** How many elements follow, each of at least one byte. */
    public int count() {
        long count = number();
        require(count >= 0 && count <= input.length - position, "a count or length beyond the end");
        return (int) count;
    }

    public byte[] bytes() {
        int length = count();
        position += length;
        return Arrays.copyOfRange(input, position - length, position);
    }

    public String text() {
        int length = count();
        position += length;
        return new String(input, position - length, length, StandardCharsets.UTF_8);
    }

    public NodePath path() {
        return checked(NodePath::new);
    }

    public LeaseName leaseName() {
        return checked(LeaseName::new);
    }

    public LeaseOwner leaseOwner() {
        return checked(LeaseOwner::new);
    }

    private <T> T checked(Function<String, T> type) {
        String text = text();
        try {
            return type.apply(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedDataException("malformed data: " + e.getMessage(), e);
        }
    }

    public boolean atEnd() {
        return position == input.length;
    }

    public void requireEnd() {
        require(atEnd(), "bytes left over");
    }

    public void require(boolean holds, String otherwise) {
        if (!holds) {
            throw malformed(otherwise);
        }
    }

    public MalformedDataException malformed(String what) {
        return new MalformedDataException("malformed data: " + what + " at byte " + position + " of " + input.length);
    }
}
