package io.holdfast.simulation.world;

import java.util.Arrays;

/** A binary heap of events by time, then by order of making. */
final class EventQueue {
    private Event[] heap = new Event[1024];
    private int size;

    int size() {
        return size;
    }

    Event first() {
        return heap[0];
    }

    void add(Event event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!event.isBefore(heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = event;
    }

    Event take() {
        Event first = heap[0];
        Event last = heap[--size];
        int at = 0;
        int half = size >>> 1;
        while (at < half) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (last.isBefore(heap[child])) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        return first;
    }
}
