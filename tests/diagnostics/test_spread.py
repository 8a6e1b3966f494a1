from dealerbox.diagnostics.spread import Bar, bars, spread


def test_a_percentile_is_a_value_that_was_measured() -> None:
    of = spread([5, 1, 3, 2, 4])
    assert [of.at(share) for share in (0.0, 0.2, 0.21, 0.5, 0.99)] == [1, 1, 2, 3, 5]
    assert (of.most, spread([]).at(0.5), spread([]).most) == (5, 0, 0)


def test_a_histogram_counts_every_value_once_between_1_2_5_and_10() -> None:
    assert bars(spread([0.3, 0.4, 1.0, 7, 7, 30])) == [
        Bar(0.5, 2), Bar(1.0, 1), Bar(2.0, 0), Bar(5.0, 0), Bar(10.0, 2), Bar(20.0, 0), Bar(50.0, 1),
    ]  # fmt: skip
    assert bars(spread([])) == []
    assert bars(spread([0.0, 2e-7]))
