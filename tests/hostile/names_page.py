"""What `streamlit run` runs to show the names of `tests.hostile.markdown_names`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.hostile.markdown_names import page

page()
