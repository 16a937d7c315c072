package io.holdfast.client.session;

/** What a session machine is made of; each has its own comment. */
record Parts(
        Outbox outbox,
        Connection connection,
        Binding binding,
        LeaseClock lease,
        Requests requests,
        Calls calls,
        LockMachine locks,
        Watches watches,
        Endings endings,
        ValueCache cache) {}
