"""A provider of OpenID Connect that vouches at once for whoever comes: python -m tests.oidc PORT EMAIL"""

import sys
import time
from urllib.parse import parse_qs, urlencode

import uvicorn
from joserfc import jwk, jwt
from starlette.applications import Starlette
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route

KEY = jwk.RSAKey.generate_key(2048, {"kid": "k", "use": "sig", "alg": "RS256"}, private=True)
ASKED = {}  # code -> the nonce that came with it


def provider(issuer, email):
    """The application."""

    async def metadata(request):
        return JSONResponse({
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
        })  # fmt: skip

    async def authorize(request):
        asked = request.query_params
        code = str(len(ASKED))
        ASKED[code] = asked.get("nonce")
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")

    async def token(request):
        said = parse_qs((await request.body()).decode())
        now = int(time.time())
        claims = {"iss": issuer, "aud": "poolscope", "sub": email, "email": email, "iat": now, "exp": now + 600}
        claims |= {"nonce": nonce} if (nonce := ASKED[said["code"][0]]) else {}
        signed = jwt.encode({"alg": "RS256", "kid": "k"}, claims, KEY)
        return JSONResponse({"access_token": "a", "token_type": "Bearer", "id_token": signed, "expires_in": 600})

    async def keys(request):
        return JSONResponse({"keys": [KEY.as_dict(private=False)]})

    return Starlette(routes=[
        Route("/.well-known/openid-configuration", metadata),
        Route("/authorize", authorize),
        Route("/token", token, methods=["POST"]),
        Route("/keys", keys),
    ])  # fmt: skip


if __name__ == "__main__":
    port, address = int(sys.argv[1]), sys.argv[2]
    uvicorn.run(provider(f"http://localhost:{port}", address), host="localhost", port=port, log_level="warning")
