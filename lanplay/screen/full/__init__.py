"""Full screen: the table, what happened and what can be done, all in sight. Only `app` draws; the rest is pure."""
