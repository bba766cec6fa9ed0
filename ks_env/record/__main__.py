"""`python -m ks_env.record` writes the JSON schema of records anew."""

from ks_env.record.json_format import SCHEMA_FILE, schema_text

if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
