"""Files are found in whatever a mail program made of them."""

from email.message import EmailMessage
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.home.unpacking import blocks
from pbem.protocol.armour import wrap
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import Refusal

ONE = write([Item(ItemType.HELLO, b"one")])
TWO = write([Item(ItemType.HELLO, bytes(range(200)))])


def mail(text="Hello", html=None, attach=()):
    message = EmailMessage()
    message["Subject"] = "Turn 3"
    message["From"] = "Alice <alice@example.org>"
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
    for raw in attach:
        message.add_attachment(raw, maintype="application", subtype="octet-stream", filename="../../x.pbem")
    return message


def test_a_file_is_itself():
    assert blocks(ONE) == (ONE,)


@pytest.mark.parametrize("cut", range(1, 6))
def test_the_first_bytes_of_a_file_are_a_cut_file_not_a_text(cut):
    assert blocks(ONE[:cut]) == (ONE[:cut],)


def test_armour_in_a_text_with_words_around_it():
    assert blocks(f"Dear Bob,\nhere it is\n{wrap(ONE)}\nand\n{wrap(TWO)}bye".encode()) == (ONE, TWO)


@pytest.mark.parametrize("encoding", ["7bit", "base64", "quoted-printable"])
def test_armour_in_a_mail(encoding):
    message = EmailMessage()
    message["Subject"] = "x"
    message.set_content(f"Here:\n{wrap(TWO)}\nAlice", cte=encoding)
    assert blocks(message.as_bytes()) == (TWO,)
    assert blocks(message.as_bytes().replace(b"\n", b"\r\n")) == (TWO,)


def test_attachments_and_text_each_once():
    assert blocks(mail(wrap(ONE), attach=[TWO, ONE]).as_bytes()) == (TWO, ONE)


def test_only_the_page_is_whole():
    broken = wrap(TWO).replace("END PBEM", "END")
    page = "<html><body><pre>" + wrap(TWO).replace("\n", "<br>\n") + "</pre></body></html>"
    assert blocks(mail(broken, page).as_bytes()) == (TWO,)


def test_a_forwarded_mail():
    outer = mail("see below")
    outer.add_attachment(mail("inner", attach=[ONE]))
    assert blocks(outer.as_bytes()) == (ONE,)


def test_a_mail_folder_line_before_the_headers():
    assert blocks(b"From bob@example.org Sat Jan  3 01:05:34 1996\n" + mail(attach=[ONE]).as_bytes()) == (ONE,)


@pytest.mark.parametrize("raw", [b"", b"Dear Bob, I forgot the file.", b"Subject: x\n\nnothing", b"\xff\xfe\x00"])
def test_nothing_in_it(raw):
    with pytest.raises(Refusal) as caught:
        blocks(raw)
    assert caught.value.code == "E-NOTHING"


def test_a_cut_block_says_so():
    with pytest.raises(Refusal) as caught:
        blocks(wrap(TWO)[:150].encode())
    assert caught.value.code == "E-CUT"


def test_parts_within_parts_have_a_bound():
    raw = b"body"
    for n in range(40):
        raw = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%s\n--b%d--\n" % (n, n, raw, n)
    with pytest.raises(Refusal) as caught:
        blocks(b"Subject: deep\n" + raw)
    assert caught.value.code == "E-MAIL"


def test_many_parts_have_a_bound():
    with pytest.raises(Refusal) as caught:
        blocks(mail(attach=[b"x"] * 100).as_bytes())
    assert caught.value.code == "E-MAIL"


def test_a_huge_text_is_not_looked_through():
    with pytest.raises(Refusal) as caught:
        blocks(b"x" * (16 * 1024 * 1024 + 1))
    assert caught.value.code == "E-LARGE"


HEADS = st.sampled_from([b"", b"Subject: x\nContent-Type: multipart/mixed; boundary=q\n\n--q\n", b"From x\nA: b\n\n"])


@settings(max_examples=150, deadline=None)
@given(
    HEADS,
    st.lists(
        st.sampled_from(
            [
                b"--q\n",
                b"Content-Type: text/plain; charset=nonsense\n",
                b"\n",
                b"=?x?q?=00?=",
                b"Content-Transfer-Encoding: base64\n",
                b"\x00\xff",
                wrap(ONE).encode(),
            ]
        )
    ),
)
def test_no_mail_makes_a_traceback(head, parts):
    try:
        found = blocks(head + b"".join(parts))
    except Refusal:
        return
    assert set(found) <= {ONE}


HEAD = b"From: a@example.org\r\nContent-Type: "
MUCH = 1 << 20


@pytest.mark.parametrize(
    "raw",
    [
        HEAD + b"text/plain; " + b"a=b;" * (MUCH // 4) + b"\r\n\r\nx",
        HEAD + b"text/plain; a*0*=" + b"=?utf-8?q?a?= " * (MUCH // 14) + b"\r\n\r\nx",
        HEAD + b"text/plain" + b"".join(b"; a*%d*=%%41" % n for n in range(MUCH // 16)) + b"\r\n\r\nx",
        HEAD + b"text/plain;" + b"\r\n a" * (MUCH // 4) + b"\r\n\r\nx",
        HEAD + b"text/plain\r\nContent-Transfer-Encoding: " + b"(" * MUCH + b"\r\n\r\nx",
        HEAD + b"text/plain; charset=punycode\r\n\r\na-" + b"b9" * (2 * MUCH),
        HEAD + b"multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n" * (MUCH // 7),
        HEAD + b"text/plain\r\n" + b"A:\r" * (2 * MUCH) + b"\r\n\r\nx",
        (HEAD[21:] + b"message/rfc822\r\n\r\n") * (MUCH // 30),
        b"".join(HEAD + b"multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(60)) + b"-\n" * MUCH,
    ],
)
def test_no_mail_takes_long_to_look_through(raw):
    """Of each of these the email package makes seconds, or gigabytes."""
    began = process_time()
    with pytest.raises(Refusal) as caught:
        blocks(raw)
    assert caught.value.code in ("E-NOTHING", "E-MAIL")
    assert process_time() - began < 2


@pytest.mark.parametrize("charset", ["x-unknown", "punycode", "rot13", "utf-16"])
def test_an_odd_character_set_hides_no_file(charset):
    message = mail(wrap(ONE), attach=[TWO])
    message.get_body().set_param("charset", charset)
    assert TWO in blocks(message.as_bytes())
