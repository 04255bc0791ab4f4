"""Work outside of requests: the queue and its worker."""
