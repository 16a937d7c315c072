package io.holdfast.simulation.check;

import static io.holdfast.model.Operation.ANY_VERSION;
import static io.holdfast.model.Operation.MUST_NOT_EXIST;
import static io.holdfast.simulation.check.RegisterOp.ABSENT;
import static io.holdfast.simulation.check.RegisterOp.Kind.DELETE;
import static io.holdfast.simulation.check.RegisterOp.Kind.GET;
import static io.holdfast.simulation.check.RegisterOp.Kind.PUT;
import static io.holdfast.simulation.check.RegisterOp.MISMATCH;
import static io.holdfast.simulation.check.RegisterOp.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.check.Linearizability.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker itself: small histories whose answer is known. */
class LinearizabilityTest {
    private static Verdict check(RegisterOp... ops) {
        return new Linearizability(10_000).check(List.of(ops));
    }

    private static RegisterOp put(long from, long to, long expected, long value, long result) {
        return new RegisterOp(PUT, from, to, expected, value, result);
    }

    private static RegisterOp get(long from, long to, long value, long version) {
        return new RegisterOp(GET, from, to, 0, value, version);
    }

    @Test
    void aReadAfterAWriteSeesIt() {
        assertThat(check(put(0, 1, ANY_VERSION, 7, 0), get(2, 3, 7, 0))).isEqualTo(Verdict.LINEARIZABLE);
        assertThat(check(put(0, 1, ANY_VERSION, 7, 0), get(2, 3, 0, ABSENT))).isEqualTo(Verdict.NOT_LINEARIZABLE);
    }

    @Test
    void aReadBesideAWriteMaySeeEither() {
        assertThat(check(put(0, 5, ANY_VERSION, 7, 0), get(1, 2, 0, ABSENT), get(3, 4, 7, 0)))
                .isEqualTo(Verdict.LINEARIZABLE);
        assertThat(check(put(0, 5, ANY_VERSION, 7, 0), get(1, 2, 7, 0), get(3, 4, 0, ABSENT)))
                .isEqualTo(Verdict.NOT_LINEARIZABLE);
    }

    @Test
    void onlyOneCompareAndSetOfTwoWins() {
        RegisterOp first = put(0, 1, ANY_VERSION, 1, 0);
        assertThat(check(first, put(2, 5, 0, 2, 1), put(2, 5, 0, 3, MISMATCH))).isEqualTo(Verdict.LINEARIZABLE);
        assertThat(check(first, put(2, 5, 0, 2, 1), put(2, 5, 0, 3, 1))).isEqualTo(Verdict.NOT_LINEARIZABLE);
    }

    @Test
    void anUnknownWriteMayHappenLaterOrNever() {
        RegisterOp unknown = put(0, NEVER, MUST_NOT_EXIST, 9, 0);
        assertThat(check(unknown, get(1, 2, 0, ABSENT), get(8, 9, 9, 0))).isEqualTo(Verdict.LINEARIZABLE);
        assertThat(check(unknown, get(1, 2, 0, ABSENT))).isEqualTo(Verdict.LINEARIZABLE);
        assertThat(check(unknown, get(1, 2, 9, 0), get(3, 4, 0, ABSENT))).isEqualTo(Verdict.NOT_LINEARIZABLE);
    }

    @Test
    void aDeletedKeyStartsOver() {
        RegisterOp delete = new RegisterOp(DELETE, 2, 3, ANY_VERSION, 0, RegisterOp.DELETED);
        assertThat(check(put(0, 1, ANY_VERSION, 1, 0), delete, put(4, 5, ANY_VERSION, 2, 0), get(6, 7, 2, 0)))
                .isEqualTo(Verdict.LINEARIZABLE);
        assertThat(check(put(0, 1, ANY_VERSION, 1, 0), delete, put(4, 5, ANY_VERSION, 2, 1)))
                .isEqualTo(Verdict.NOT_LINEARIZABLE);
    }
}
