"""The address: a choice is never lost to a run that the next click ended, and the way back is open."""

from streamlit.testing.v1 import AppTest


def two_choices():
    import streamlit as st

    from ui.components import choices
    from ui.session import memory, url_state

    memory.arrive("page")
    choices.select(st, "First", ["a", "b"], key="first")
    if st.session_state.get("ended"):  # as where the visitor clicks again before the page is whole
        st.stop()
    choices.select(st, "Second", ["a", "b"], key="second")
    url_state.write()


def opened():
    return AppTest.from_function(two_choices).run()


def chosen(app):
    return app.selectbox(key="first").value, app.selectbox(key="second").value


def choose(app, key, value, *, ended=False):
    app.session_state["ended"] = ended
    app.selectbox(key=key).set_value(value).run()


def shown(app):
    return {name: app.query_params[name] for name in app.query_params}


def test_two_quick_choices_are_both_kept():
    app = opened()
    choose(app, "first", "b", ended=True)
    assert shown(app) == {}
    app.session_state["ended"] = False
    app.run()
    assert chosen(app) == ("b", "a")
    choose(app, "second", "b")
    assert chosen(app) == ("b", "b")
    assert set(shown(app)) == {"first", "second"}


def test_a_run_that_was_ended_is_no_way_back():
    app = opened()
    choose(app, "second", "b")
    choose(app, "first", "b", ended=True)
    app.session_state["ended"] = False
    app.run()
    assert chosen(app) == ("b", "b")


def test_the_way_back_undoes_a_choice():
    app = opened()
    choose(app, "first", "b")
    choose(app, "second", "b")
    app.query_params.clear()
    app.query_params["first"] = "b"
    app.run()
    assert chosen(app) == ("b", "a")
    assert set(shown(app)) == {"first"}


def test_a_way_back_that_was_ended_is_gone_on_the_next_time():
    app = opened()
    choose(app, "second", "b")
    app.query_params.clear()
    app.session_state["ended"] = True
    app.run()
    app.session_state["ended"] = False
    app.run()
    assert chosen(app) == ("a", "a")
    assert shown(app) == {}


def one_choice_without_a_widget():
    import streamlit as st

    from ui.components import choices
    from ui.session import memory, url_state

    memory.arrive("page")
    choices.select(st, "First", ["a", "b"], key="first")
    memory.settle("second", "b", "a")  # as where what it is chosen with is not on the page
    url_state.write()


def test_a_missing_widget_is_no_choice_that_bars_the_way_back():
    app = AppTest.from_function(one_choice_without_a_widget).run()
    app.selectbox(key="first").set_value("b").run()
    assert set(shown(app)) == {"first", "second"}
    del app.query_params["first"]  # the browser goes back
    app.run()
    assert app.selectbox(key="first").value == "a"
    assert set(shown(app)) == {"second"}
    app.selectbox(key="first").set_value("b")  # a choice of this moment holds, wherever the browser goes
    app.query_params["first"] = "x"
    app.run()
    assert app.selectbox(key="first").value == "b"
