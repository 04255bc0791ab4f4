"""Work outside of requests: the queue of tasks, who takes them from it, and how one that died is noticed."""
