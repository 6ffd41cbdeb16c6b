package mendjudge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plain values as bytes and back: what may cross between a program and its judge. What comes back is built anew of Java's
 * own classes, so no method that a program wrote ever runs in the judge.
 */
final class Values {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_ITEMS = 1_000_000;

    /** The value, named by the message, cannot cross. */
    static final class NotPlain extends Exception {
        private static final long serialVersionUID = 1;

        NotPlain(String what) {
            super(what);
        }
    }

    private Values() {}

    // ---- to bytes

    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        private int items;

        byte[] done() throws NotPlain {
            if (bytes.size() > Channel.LIMIT) throw new NotPlain("a value of more than 8 MB");
            return bytes.toByteArray();
        }

        void text(String text) throws IOException {
            out.writeInt(text.length());
            out.writeChars(text);
        }

        void value(Object value) throws IOException, NotPlain {
            value(value, 0);
        }

        private void value(Object value, int depth) throws IOException, NotPlain {
            if (depth > MAX_DEPTH) throw new NotPlain("a value of more than " + MAX_DEPTH + " levels");
            if (++items > MAX_ITEMS) throw new NotPlain("a value of more than " + MAX_ITEMS + " items");
            if (value == null) out.writeByte('0');
            else if (value instanceof Boolean) scalar('Z').writeBoolean((Boolean) value);
            else if (value instanceof Byte) scalar('B').writeByte((Byte) value);
            else if (value instanceof Short) scalar('S').writeShort((Short) value);
            else if (value instanceof Integer) scalar('I').writeInt((Integer) value);
            else if (value instanceof Long) scalar('J').writeLong((Long) value);
            else if (value instanceof Float) scalar('F').writeInt(Float.floatToRawIntBits((Float) value));
            else if (value instanceof Double) scalar('D').writeLong(Double.doubleToRawLongBits((Double) value));
            else if (value instanceof Character) scalar('C').writeChar((Character) value);
            else if (value instanceof String) tagged('T', (String) value);
            else if (value.getClass() == BigInteger.class) tagged('G', value.toString());
            else if (value.getClass() == BigDecimal.class) tagged('H', value.toString());
            else if (value instanceof Optional) several('O', ((Optional<?>) value).map(List::of).orElse(List.of()), depth);
            else if (value instanceof OptionalInt) optional('i', ((OptionalInt) value).isPresent() ? ((OptionalInt) value).getAsInt() : null, depth);
            else if (value instanceof OptionalLong) optional('j', ((OptionalLong) value).isPresent() ? ((OptionalLong) value).getAsLong() : null, depth);
            else if (value instanceof OptionalDouble) optional('d', ((OptionalDouble) value).isPresent() ? ((OptionalDouble) value).getAsDouble() : null, depth);
            else if (value instanceof Map.Entry) pair((Map.Entry<?, ?>) value, depth);
            else if (value instanceof Map) map((Map<?, ?>) value, depth);
            else if (value instanceof Collection) several(tagOf((Collection<?>) value), (Collection<?>) value, depth);
            else if (value.getClass().isArray()) array(value, depth);
            else throw new NotPlain("an object of " + value.getClass().getName());
        }

        private DataOutputStream scalar(char tag) throws IOException {
            out.writeByte(tag);
            return out;
        }

        private void tagged(char tag, String text) throws IOException {
            out.writeByte(tag);
            text(text);
        }

        private static char tagOf(Collection<?> value) throws NotPlain {
            if (value instanceof LinkedList) return 'N';
            if (value instanceof List) return 'L';
            if (value instanceof SortedSet) return ((SortedSet<?>) value).comparator() == null ? 'R' : 'U';
            if (value instanceof Set) return 'U';
            if (value instanceof Deque) return 'Q';
            throw new NotPlain("an object of " + value.getClass().getName());
        }

        private void optional(char tag, Object value, int depth) throws IOException, NotPlain {
            several(tag, value == null ? List.of() : List.of(value), depth);
        }

        private void several(char tag, Collection<?> values, int depth) throws IOException, NotPlain {
            Object[] all = values.toArray();
            out.writeByte(tag);
            out.writeInt(all.length);
            for (Object one : all) value(one, depth + 1);
        }

        private void pair(Map.Entry<?, ?> value, int depth) throws IOException, NotPlain {
            out.writeByte('E');
            value(value.getKey(), depth + 1);
            value(value.getValue(), depth + 1);
        }

        private void map(Map<?, ?> value, int depth) throws IOException, NotPlain {
            boolean sorted = value instanceof SortedMap && ((SortedMap<?, ?>) value).comparator() == null;
            List<Map.Entry<?, ?>> entries = new ArrayList<>(value.entrySet());
            out.writeByte(sorted ? 'W' : 'M');
            out.writeInt(entries.size());
            for (Map.Entry<?, ?> entry : entries) {
                value(entry.getKey(), depth + 1);
                value(entry.getValue(), depth + 1);
            }
        }

        private void array(Object value, int depth) throws IOException, NotPlain {
            Class<?> of = value.getClass().getComponentType();
            if (element(of) == null) throw new NotPlain("an array of " + of.getName());
            int length = Array.getLength(value);
            tagged('A', of.getName());
            out.writeInt(length);
            for (int i = 0; i < length; i++) value(Array.get(value, i), depth + 1);
        }
    }

    /** The type itself, where arrays of it may cross: else null. */
    private static Class<?> element(Class<?> type) {
        Class<?> inner = type;
        while (inner.isArray()) inner = inner.getComponentType();
        boolean own = inner.isPrimitive() || inner.getName().startsWith("java.");
        return own ? type : null;
    }

    // ---- from bytes: hostile

    static final class Reader {
        final DataInputStream in;
        private final int size;
        private int items;

        Reader(byte[] bytes) {
            in = new DataInputStream(new ByteArrayInputStream(bytes));
            size = bytes.length;
        }

        String text() throws IOException {
            int length = count(2);
            byte[] bytes = new byte[2 * length];
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_16BE).length() == length
                ? new String(bytes, StandardCharsets.UTF_16BE)
                : chars(bytes);
        }

        /** As it is, with halves of pairs that stand alone. */
        private static String chars(byte[] bytes) {
            char[] found = new char[bytes.length / 2];
            for (int i = 0; i < found.length; i++) found[i] = (char) ((bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff);
            return new String(found);
        }

        private int count(int each) throws IOException {
            int count = in.readInt();
            if (count < 0 || (long) count * each > size) throw new IOException("a count that cannot be");
            return count;
        }

        /** @throws IOException if the bytes are not a value */
        Object value() throws IOException {
            return value(0);
        }

        private Object value(int depth) throws IOException {
            if (depth > MAX_DEPTH || ++items > MAX_ITEMS) throw new IOException("a value that is too large");
            char tag = (char) in.readUnsignedByte();
            switch (tag) {
                case '0': return null;
                case 'Z': return in.readBoolean();
                case 'B': return in.readByte();
                case 'S': return in.readShort();
                case 'I': return in.readInt();
                case 'J': return in.readLong();
                case 'F': return Float.intBitsToFloat(in.readInt());
                case 'D': return Double.longBitsToDouble(in.readLong());
                case 'C': return in.readChar();
                case 'T': return text();
                case 'G': return new BigInteger(number());
                case 'H': return new BigDecimal(number());
                case 'E': return new AbstractMap.SimpleEntry<>(value(depth + 1), value(depth + 1));
                case 'M': return map(new LinkedHashMap<>(), depth);
                case 'W': return map(new TreeMap<>(), depth);
                case 'A': return array(depth);
                default: return collection(tag, several(depth));
            }
        }

        private String number() throws IOException {
            String text = text();
            if (!text.matches("-?[0-9]{1,20000}(?:\\.[0-9]{1,20000})?(?:E[+-]?[0-9]{1,5})?")) throw new IOException("no number");
            return text;
        }

        private Object collection(char tag, List<Object> values) throws IOException {
            Object first = values.isEmpty() ? null : values.get(0);
            try {
                switch (tag) {
                    case 'L': return values;
                    case 'N': return new LinkedList<>(values);
                    case 'U': return new LinkedHashSet<>(values);
                    case 'R': return new TreeSet<>(values);
                    case 'Q': return new ArrayDeque<>(values);
                    case 'O': return Optional.ofNullable(first);
                    case 'i': return first == null ? OptionalInt.empty() : OptionalInt.of((Integer) first);
                    case 'j': return first == null ? OptionalLong.empty() : OptionalLong.of((Long) first);
                    case 'd': return first == null ? OptionalDouble.empty() : OptionalDouble.of((Double) first);
                    default: throw new IOException("a value of no known form");
                }
            } catch (RuntimeException problem) {
                throw new IOException("a value that cannot be");
            }
        }

        private List<Object> several(int depth) throws IOException {
            int count = count(1);
            List<Object> found = new ArrayList<>(Math.min(count, 1000));
            for (int i = 0; i < count; i++) found.add(value(depth + 1));
            return found;
        }

        private Object map(Map<Object, Object> found, int depth) throws IOException {
            int count = count(2);
            try {
                for (int i = 0; i < count; i++) found.put(value(depth + 1), value(depth + 1));
            } catch (RuntimeException problem) {
                throw new IOException("a map that cannot be");
            }
            return found;
        }

        private Object array(int depth) throws IOException {
            String name = text();
            int count = count(1);
            try {
                Object found = Array.newInstance(typeNamed(name), count);
                for (int i = 0; i < count; i++) Array.set(found, i, value(depth + 1));
                return found;
            } catch (RuntimeException | ClassNotFoundException problem) {
                throw new IOException("an array that cannot be");
            }
        }

        private static Class<?> typeNamed(String name) throws ClassNotFoundException, IOException {
            Class<?>[] primitives = {boolean.class, byte.class, short.class, int.class, long.class, float.class, double.class, char.class};
            for (Class<?> one : primitives) if (one.getName().equals(name)) return one;
            boolean known = name.matches("\\[{1,8}(?:[ZBSIJFDC]|Ljava\\.(?:lang|util|math)\\.\\w{1,40};)|java\\.(?:lang|util|math)\\.\\w{1,40}");
            if (!known) throw new IOException("no type that is known");
            return Class.forName(name, false, null);
        }
    }
}
